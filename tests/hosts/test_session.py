"""The start of a session: its name reaches the commands, one line tells what was saved, and without it there is silence."""

from __future__ import annotations

import subprocess

import pytest
from tests.hosts.hooks import Hook, payload
from tests.telemetry.records import run, tracker

from token_saver.hosts import session

EVENT = payload("claude", "session_start")


@pytest.fixture
def quiet(hook: Hook) -> dict[str, str]:
    """A data folder of its own."""
    return {"TOKEN_SAVER_DATA_DIR": str(hook.directory / "data")}


def test_without_anything_to_say_it_is_silent(hook: Hook, quiet: dict[str, str]) -> None:
    assert hook("claude events", EVENT, **quiet) is None


def test_what_was_saved_in_this_project_is_told_in_one_line(hook: Hook, quiet: dict[str, str]) -> None:
    folder = hook.directory / "data"
    folder.mkdir(mode=0o700)
    tracker(folder).add([run(-10, folder=str(hook.directory), original=50_000, shown=1_000)])
    told = hook("claude events", EVENT, **quiet)
    assert told is not None
    context = told["hookSpecificOutput"]["additionalContext"]
    assert context.startswith("Token-Saver: about ") and "\n" not in context
    assert hook("claude events", EVENT, TOKEN_SAVER_TELEMETRY_ENABLED="false", **quiet) is None


def test_the_name_of_the_session_reaches_the_commands(hook: Hook, quiet: dict[str, str]) -> None:
    file = hook.directory / "env.sh"
    file.write_text("export MINE=1")
    for name in ("one", "one", "two", "two", "one"):
        hook("claude events", {**EVENT, "session_id": name}, CLAUDE_ENV_FILE=str(file), **quiet)
    lines = [f"export {session.VARIABLE}={name}" for name in ("one", "two", "one")]
    assert file.read_text().splitlines() == ["export MINE=1", *lines]
    told = subprocess.run(["/bin/sh", "-c", f". {file}; echo $MINE ${session.VARIABLE}"], capture_output=True, check=True)
    assert told.stdout == b"1 one\n"


@pytest.mark.parametrize("name", ["", "a b", "$(touch x)", "a'b", "a\nb", "x" * 200, 7])
def test_a_name_that_a_shell_could_read_as_more_is_not_written(hook: Hook, quiet: dict[str, str], name: object) -> None:
    file = hook.directory / "env.sh"
    hook("claude events", {**EVENT, "session_id": name}, CLAUDE_ENV_FILE=str(file), **quiet)
    assert not file.exists()


def test_a_file_that_cannot_be_written_is_no_failure(hook: Hook, quiet: dict[str, str]) -> None:
    assert hook("claude events", EVENT, CLAUDE_ENV_FILE=str(hook.directory), **quiet) is None
    assert hook("claude events", EVENT, CLAUDE_ENV_FILE="/nowhere/at/all", **quiet) is None


def test_only_the_start_of_a_session_is_told(hook: Hook, quiet: dict[str, str]) -> None:
    file = hook.directory / "env.sh"
    assert hook("claude events", {**EVENT, "hook_event_name": "Stop"}, CLAUDE_ENV_FILE=str(file), **quiet) is None
    assert not file.exists()
