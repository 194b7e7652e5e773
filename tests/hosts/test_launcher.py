from __future__ import annotations

import pathlib
import shlex
import subprocess
import sys

import pytest
from tests.hosts.processes import environment

from token_saver.hosts import launcher


def run(argv: list[str], home: pathlib.Path) -> tuple[int, bytes]:
    done = subprocess.run(argv, stdout=subprocess.PIPE, env=environment(home), check=False)
    return done.returncode, done.stdout


def test_the_launcher_runs_a_command_and_the_command_line(tmp_path: pathlib.Path, home: pathlib.Path) -> None:
    path = tmp_path / "token-saver"
    launcher.write(path)
    assert path.read_text().startswith(f"#!{sys.executable} -ISXutf8\n")
    assert run([str(path), "run", "-c", "echo done; exit 7"], home) == (7, b"done\n")
    assert run([str(path), "--version"], home)[1].startswith(b"token-saver ")
    assert [each.name for each in tmp_path.iterdir()] == ["token-saver"]


@pytest.mark.parametrize("name", ["a folder with blanks", "x" * 140])
def test_an_interpreter_that_no_first_line_can_name_is_started_by_a_shell(
    tmp_path: pathlib.Path, home: pathlib.Path, name: str
) -> None:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "python").symlink_to(sys.executable)
    path = tmp_path / "token-saver"
    launcher.write(path, str(folder / "python"))
    assert path.read_text().startswith("#!/bin/sh\n")
    assert run([str(path), "run", "--", "echo", "it's", "done"], home) == (0, b"it's done\n")


def test_the_words_for_a_hosts_settings_start_the_same(home: pathlib.Path) -> None:
    assert run([*shlex.split(launcher.command()), "run", "--", "echo", "done"], home) == (0, b"done\n")


def test_a_launcher_that_cannot_be_written_leaves_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / "token-saver").mkdir()
    with pytest.raises(OSError):
        launcher.write(tmp_path / "token-saver")
    assert [each.name for each in tmp_path.iterdir()] == ["token-saver"]
