"""dnf, yum, zypper and rpm: what their cases cannot say."""

from __future__ import annotations

from token_saver.engine import CompressionEngine

ROWS = 300


def test_a_list_of_updates_keeps_every_name(engine: CompressionEngine) -> None:
    rows = "".join(f"{f'lib{n}.x86_64':40}{f'1:{n // 3}.0-1.el9':30}updates\n" for n in range(ROWS))
    result, _, _ = engine.compress("yum check-update", f"Loaded plugins: fastestmirror\n\n{rows}", exit_code=100)
    assert all(f"lib{n}.x86_64" in result for n in range(ROWS))
    assert "1:50.0-1.el9" in result


def test_a_long_name_and_its_version_on_the_next_line_are_one_entry(engine: CompressionEngine) -> None:
    text = (
        "Available Packages\nNetworkManager-config-server.noarch\n                                 1:1.8.0-9.el7           base\n"
    )
    text += "".join(f"{f'p{n}.noarch':33}{f'{n}.0-1':24}base\n" for n in range(9))
    result, _, _ = engine.compress("yum list available", text, exit_code=0)
    assert "NetworkManager-config-server.noarch  1:1.8.0-9.el7  base" in result


def test_rpm_queries_drop_the_architecture_before_the_version(engine: CompressionEngine) -> None:
    text = "".join(f"library-for-harbors-{n}-2.{n}-1.el9.x86_64\n" for n in range(150))
    result, _, _ = engine.compress("rpm -qa", text, exit_code=0)
    assert all(f"library-for-harbors-{n}-2.{n}-1.el9" in result for n in range(150))


def test_a_table_of_zypper_keeps_names_and_available_versions(engine: CompressionEngine) -> None:
    rows = "".join(
        f"v | Updates    | {f'lib{n}':20} | 1.{n}             | 2.{n // 4}               | x86_64\n" for n in range(ROWS)
    )
    head = "S | Repository | Name                 | Current Version   | Available Version | Arch\n"
    rule = "--+------------+----------------------+-------------------+-------------------+-------\n"
    result, _, _ = engine.compress("zypper list-updates", f"Loading repository data...\n{head}{rule}{rows}", exit_code=0)
    assert all(f"lib{n}" in result for n in range(ROWS))
    assert "S  Repository  Name  Current Version  Available Version  Arch" in result and "lib120 2.30\n" in result


def test_an_empty_cell_keeps_the_cells_behind_it_in_place(engine: CompressionEngine) -> None:
    text = "S | Name    | Type\n--+---------+--------\n  | vim     | package\ni | nano    | package\n"
    result, _, _ = engine.compress("zypper search vim", text, exit_code=0)
    assert "  vim  package\n" in result and "i  nano  package" in result


def test_a_failed_transaction_is_told(engine: CompressionEngine) -> None:
    text = (
        "Dependencies resolved.\nRunning transaction\n  Installing       : tide-2.0-1.noarch      1/2\n"
        "  Installing       : ferry-1.2-1.noarch     2/2\nError: unpacking of archive failed on file /usr/bin/ferry: cpio\n"
        "error: ferry-1.2-1.noarch: install failed\n"
    )
    result, _, _ = engine.compress("dnf install -y ferry", text, exit_code=1)
    assert "Installing  : ferry-1.2-1.noarch  2/2" in result
    assert "Error: unpacking of archive failed on file /usr/bin/ferry: cpio" in result


def test_a_failed_mirror_stays(engine: CompressionEngine) -> None:
    text = (
        "base        | 3.6 kB  00:00:00\nepel/x86_64/primary_db         FAILED\n"
        "https://mirror.example/epel/repodata: [Errno 14] HTTPS Error 404 - Not Found\nTrying other mirror.\n"
    )
    result, _, _ = engine.compress("yum makecache", text, exit_code=0)
    assert "epel/x86_64/primary_db  FAILED" in result and "[Errno 14] HTTPS Error 404" in result
