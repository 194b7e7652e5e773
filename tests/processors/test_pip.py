"""pip and its kin: what its cases cannot say."""

from __future__ import annotations

import json

from token_saver.engine import CompressionEngine

BAR = "     ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 99.7/99.7 kB 77.3 MB/s eta 0:00:00\n"


def install(count: int) -> str:
    collected = "".join(
        f"Collecting pkg-{n}>=1 (from -r requirements.txt (line {n}))\n  Downloading pkg_{n}-1.{n}.whl (99 kB)\n{BAR}"
        for n in range(count)
    )
    done = " ".join(f"pkg-{n}-1.{n}" for n in range(count))
    return f"{collected}Installing collected packages: {done}\nSuccessfully installed {done}\n"


def test_every_installed_name_and_version_stays_and_downloads_are_counted_once(engine: CompressionEngine) -> None:
    result, processor, _ = engine.compress("pip install -r requirements.txt", install(30), exit_code=0)
    assert processor == "pip"
    assert all(f"pkg-{n}-1.{n}" in result and f"Collecting pkg-{n}>=1" in result for n in range(30))
    assert result.count("[… 60 lines of download progress]") == 1


def test_the_list_of_what_is_installed_stays_when_nothing_says_it_again(engine: CompressionEngine) -> None:
    text = (
        install(30).rpartition("Successfully installed")[0] + "ERROR: Could not install packages due to an OSError: [Errno 28]\n"
    )
    result, _, _ = engine.compress("pip install -r requirements.txt", text, exit_code=1)
    assert "Installing collected packages: pkg-0-1.0" in result
    assert "ERROR: Could not install packages due to an OSError: [Errno 28]" in result


def test_the_error_of_a_compiler_inside_a_build_stays_with_its_context(engine: CompressionEngine) -> None:
    copying = "".join(f"      copying src/press/part{n}.py -> build/lib/press\n" for n in range(300))
    error = (
        "      src/_ink.c:7:10: fatal error: ink.h: No such file or directory\n"
        '          7 | #include "ink.h"\n            |          ^~~~~~~\n      compilation terminated.\n'
    )
    text = f"  × Building wheel for press did not run successfully.\n  ╰─> [304 lines of output]\n{copying}{error}"
    text += "      [end of output]\n"
    result, _, _ = engine.compress("pip install ./press", text, exit_code=1)
    assert error.rstrip("\n") in result
    assert "[… 300 lines of build output]" in result


def test_a_conflict_is_told_whole_however_often_pip_looked(engine: CompressionEngine) -> None:
    tried = "".join(f"  Downloading tide-1.{n}-py3-none-any.whl (9 kB)\n" for n in range(80))
    reason = (
        "ERROR: Cannot install ferry==1.2 and tide==1.0 because these package versions have conflicting dependencies.\n\n"
        "The conflict is caused by:\n    The user requested tide==1.0\n    ferry 1.2 depends on tide>=2.0\n"
    )
    result, _, _ = engine.compress("pip install ferry==1.2 tide==1.0", tried + reason, exit_code=1)
    assert reason.strip() in result
    assert "[… 80 lines of download progress]" in result


def test_many_versions_are_cut_in_the_middle_at_a_comma(engine: CompressionEngine) -> None:
    listed = ", ".join(f"1.{n}.0" for n in range(200))
    text = f"ERROR: Could not find a version that satisfies the requirement tide==9 (from versions: {listed})\n"
    result, _, _ = engine.compress("pip install tide==9", text, exit_code=1)
    assert "tide==9 (from versions: 1.0.0, 1.1.0" in result and "1.198.0, 1.199.0)" in result
    assert ", …[+" in result.replace(" …[+", "…[+").replace(",…", ", …")
    assert len(result) < len(text) // 2


def test_already_satisfied_says_what_but_not_where(engine: CompressionEngine) -> None:
    line = (
        "Requirement already satisfied: click>=8 in /home/dev/project/.venv/lib/python3.11/site-packages (from ferry) (8.1.7)\n"
    )
    result, _, _ = engine.compress("pip install ferry", line * 3, exit_code=0)
    assert "Requirement already satisfied: click>=8 (from ferry) (8.1.7)" in result
    assert "site-packages" not in result


def test_a_long_list_keeps_every_name_and_a_machine_format_parses(engine: CompressionEngine) -> None:
    rows = [{"name": f"package-{n}", "version": f"{n}.1"} for n in range(150)]
    table = "Package     Version\n----------- -------\n" + "".join(f"{row['name']:12}{row['version']}\n" for row in rows)
    result, _, _ = engine.compress("pip list", table, exit_code=0)
    assert all(f"{row['name']} {row['version']}" in result for row in rows)
    result, _, _ = engine.compress("pip list --format=json", json.dumps(rows), exit_code=0)
    assert json.loads(result)


def test_talk_around_a_document_stays(engine: CompressionEngine) -> None:
    body = json.dumps([{"name": f"p{n}", "version": "1", "location": "/home/dev/x" * 9} for n in range(90)], indent=2)
    text = f"WARNING: pip is being invoked by an old script wrapper.\n{body}\n"
    result, _, _ = engine.compress("pip list -v --format=json", text, exit_code=0)
    first, _, rest = result.partition("\n")
    assert first == "WARNING: pip is being invoked by an old script wrapper."
    assert json.loads(rest) and len(result) < len(text) // 2


def test_files_stand_behind_their_folder_and_compiled_ones_are_counted(engine: CompressionEngine) -> None:
    files = "".join(f"  ferry/__pycache__/m{n}.cpython-311.pyc\n" for n in range(20)) + "".join(
        f"  ferry/m{n}.py\n" for n in range(20)
    )
    result, _, _ = engine.compress("pip show -f ferry", f"Name: ferry\nVersion: 1.2.0\nFiles:\n{files}", exit_code=0)
    assert "  ferry/: m0.py m1.py m2.py" in result and "m19.py" in result
    assert "[… 20 compiled files]" in result


def test_hashes_of_pip_compile_are_counted(engine: CompressionEngine) -> None:
    text = "".join(f"tide=={n}.0 \\\n    --hash=sha256:{'ab' * 32} \\\n    --hash=sha256:{'cd' * 32}\n" for n in range(9))
    result, _, _ = engine.compress("pip-compile --generate-hashes", text, exit_code=0)
    assert all(f"tide=={n}.0" in result for n in range(9))
    assert "[… 18 hashes]" in result


def test_help_and_version_are_whole(engine: CompressionEngine) -> None:
    text = "pip 23.2.1 from /usr/lib/python3/dist-packages/pip (python 3.11)\n"
    assert engine.compress("pip --version", text, exit_code=0)[0] == text
    assert engine.compress("pip install --help", install(40), exit_code=0)[0] == install(40)
