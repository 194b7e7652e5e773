"""pacman and apk, the latter after its documented format: what their cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine


def test_values_over_several_lines_are_told_on_one(engine: CompressionEngine) -> None:
    text = "Name            : tide\nRequired By     : android-tools  appstream\n                  boost-libs  curl\n"
    text += "Groups          : None\n"
    result, _, _ = engine.compress("pacman -Qi tide", text, exit_code=0)
    assert result == "Name: tide\nRequired By: android-tools  appstream  boost-libs  curl\nGroups: None\n"


def test_long_minor_fields_are_cut_when_there_are_many_records(engine: CompressionEngine) -> None:
    needed = "".join(f"                  user-of-the-library-{n}\n" for n in range(60))
    record = (
        "Name            : lib{n}\nVersion         : 1.{n}-1\nRequired By     : first\n" + needed + "Replaces        : None\n\n"
    )
    text = "".join(record.replace("{n}", str(n)) for n in range(20))
    result, _, _ = engine.compress("pacman -Qi", text, exit_code=0)
    assert all(f"Name: lib{n}\n" in result and f"Version: 1.{n}-1" in result for n in range(20))
    assert "Required By: first" in result and " chars]… " in result and "fields without a value]" in result


def test_a_conflict_of_files_stays(engine: CompressionEngine) -> None:
    text = (
        "resolving dependencies...\nlooking for conflicting packages...\n\nPackages (1) tide-2.0-1\n\n"
        "checking for file conflicts...\nerror: failed to commit transaction (conflicting files)\n"
        "tide: /usr/bin/tide exists in filesystem\nErrors occurred, no packages were upgraded.\n"
    )
    result, _, _ = engine.compress("pacman -S --noconfirm tide", text, exit_code=1)
    assert "tide: /usr/bin/tide exists in filesystem\nErrors occurred, no packages were upgraded." in result


def test_apk_keeps_what_it_installed_and_why_it_could_not(engine: CompressionEngine) -> None:
    fetch = "".join(
        f"fetch https://mirror.example/alpine/v3.19/{name}/x86_64/APKINDEX.tar.gz\n" for name in ("main", "community")
    )
    done = (
        "(1/2) Installing musl (1.2.4-r2)\n(2/2) Installing curl (8.5.0-r0)\nExecuting busybox-1.36.1-r15.trigger\n"
        "OK: 12 MiB in 20 packages\n"
    )
    result, _, _ = engine.compress("apk add curl", fetch + done, exit_code=0)
    assert "(2/2) Installing curl (8.5.0-r0)" in result and "OK: 12 MiB in 20 packages" in result
    error = "ERROR: unable to select packages:\n  nope (no such package):\n    required by: world[nope]\n"
    result, _, _ = engine.compress("apk add nope", fetch + error, exit_code=1)
    assert error.strip() in result
