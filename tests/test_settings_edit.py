"""Switching a setting in the user's file, and `init` asking before anything is kept."""

from __future__ import annotations

import os
import pathlib
import stat
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hosts.processes import environment

from token_saver.errors import SettingsError
from token_saver.settings_edit import changed

BOTH = {"recall_enabled": True, "delta_enabled": True}
LINES = ["# mine", "", "enabled = true", "recall_enabled = false  # why", '"delta_enabled" = true', "wrap_timeout = 30"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "recall_enabled = true\n"),
        ("enabled = true", "enabled = true\nrecall_enabled = true\n"),
        ("# mine\nrecall_enabled = false\nx = 1\n", "# mine\nrecall_enabled = true\nx = 1\n"),
        ("recall_enabled = true\n", "recall_enabled = true\n"),
        ("x = 1\n\n[table]\nrecall_enabled = false\n", "x = 1\n\nrecall_enabled = true\n[table]\nrecall_enabled = false\n"),
        ("x = 1\r\n", "x = 1\r\nrecall_enabled = true\r\n"),
        ("\ufeffx = 1\n", "\ufeffx = 1\nrecall_enabled = true\n"),
    ],
)
def test_one_line_is_set_and_the_rest_stays(before: str, after: str) -> None:
    assert changed(before, {"recall_enabled": True}) == after


@given(st.lists(st.sampled_from(LINES), unique=True), st.booleans())
def test_what_was_set_is_read_and_everything_else_reads_as_before(lines: list[str], on: bool) -> None:
    text = "\n".join(lines)
    after = changed(text, dict.fromkeys(BOTH, on))
    assert tomllib.loads(after) == {**tomllib.loads(text), **dict.fromkeys(BOTH, on)}
    assert changed(after, dict.fromkeys(BOTH, on)) == after


@pytest.mark.parametrize("text", ["x = ", 'text = """\nrecall_enabled = false\n"""\n', "recall_enabled.x = 1\n"])
def test_what_one_line_cannot_set_is_refused(text: str) -> None:
    with pytest.raises(SettingsError):
        changed(text, {"recall_enabled": True})


class Home:
    """A home with a coding agent in it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        (folder / ".claude").mkdir()
        self.settings = folder / ".config/token-saver/config.toml"

    def init(self, *words: str) -> subprocess.CompletedProcess[bytes]:
        line = [sys.executable, "-m", "token_saver", "init", "claude", *words]
        return subprocess.run(line, env=environment(self.folder), capture_output=True, stdin=subprocess.DEVNULL, check=True)

    def init_on_a_terminal(self, answer: bytes) -> bytes:
        """Run ``init`` on a terminal, type *answer* and return what is printed."""
        ours, theirs = os.openpty()
        line = [sys.executable, "-m", "token_saver", "init", "claude"]
        with subprocess.Popen(line, env=environment(self.folder), stdin=theirs, stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            os.write(ours, answer)
            printed = b""
            try:
                while chunk := os.read(ours, 4096):
                    printed += chunk
            except OSError:
                pass
        os.close(ours)
        assert process.returncode == 0, printed
        return printed

    def values(self) -> dict[str, object]:
        return tomllib.loads(self.settings.read_text()) if self.settings.exists() else {}


@pytest.fixture
def home(tmp_path: pathlib.Path) -> Home:
    return Home(tmp_path)


def test_without_a_terminal_and_an_option_nothing_is_kept_and_nothing_asked(home: Home) -> None:
    home.init()
    assert home.values() == {}


@pytest.mark.parametrize(("word", "value"), [("yes", True), ("no", False)])
def test_the_option_decides(home: Home, word: str, value: bool) -> None:
    home.init("--keep-outputs", word, "--dry-run")
    assert home.values() == {}
    home.init("--keep-outputs", word)
    assert home.values() == dict.fromkeys(BOTH, value)
    assert stat.S_IMODE(home.settings.stat().st_mode) == 0o600


@pytest.mark.parametrize(("answer", "value"), [(b"y\n", True), (b"\n", False)])
def test_on_a_terminal_it_asks_once(home: Home, answer: bytes, value: bool) -> None:
    assert b"[y/N]" in home.init_on_a_terminal(answer)
    assert home.values() == dict.fromkeys(BOTH, value)
    assert b"[y/N]" not in home.init_on_a_terminal(b"")


def test_no_answer_decides_nothing(home: Home) -> None:
    assert b"[y/N]" in home.init_on_a_terminal(b"\x04")
    assert home.values() == {}
