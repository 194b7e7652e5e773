"""The bounds of a hook: its time, its silence, and what is written down about it."""

from __future__ import annotations

import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

import pytest
from token_saver_memory.hooks import doctor, quiet

from token_saver import events
from token_saver.events import HostEvent, Reply


@pytest.fixture(autouse=True)
def home(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(quiet.BUDGET_VARIABLE, "80")


def told(hook: quiet.Hook) -> tuple[Reply | None, float]:
    began = time.perf_counter()
    return hook(HostEvent("claude", events.PROMPT, {})), time.perf_counter() - began


def test_a_hook_that_does_not_end_is_ended() -> None:
    @quiet.hook
    def endless(event: HostEvent) -> Reply | None:
        while True:
            try:
                time.sleep(0.01)
            except Exception:
                continue

    before = signal.getsignal(signal.SIGALRM)
    reply, took = told(endless)
    assert reply is None and took < 2.0
    assert signal.getsignal(signal.SIGALRM) is before and signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert [line.split(" ", 1)[1] for line in doctor.failures()] == ["memory: prompt OutOfTimeError"]


def test_a_statement_that_does_not_end_is_ended() -> None:
    connection = sqlite3.connect(":memory:")

    @quiet.hook
    def endless(event: HostEvent) -> Reply | None:
        quiet.stop_statements(connection, quiet.budget())
        connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n").fetchone()
        return Reply("never")

    reply, took = told(endless)
    assert reply is None and took < 2.0 and len(doctor.failures()) == 1


def test_what_fails_is_silent_and_told_without_any_content() -> None:
    @quiet.hook
    def broken(event: HostEvent) -> Reply | None:
        raise ValueError("hunter2")

    assert told(broken)[0] is None
    assert "ValueError" in doctor.failures()[0] and "hunter2" not in doctor.failures()[0]


def test_a_hook_that_is_switched_off_does_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    @quiet.hook
    def loud(event: HostEvent) -> Reply | None:
        return Reply("here")

    assert told(loud)[0] is not None
    monkeypatch.setenv(quiet.SWITCH_VARIABLE, "off")
    assert told(loud)[0] is None and doctor.failures() == []


def test_a_command_of_no_interest_opens_nothing() -> None:
    code = (
        "import sys; from token_saver.events import HostEvent; from token_saver_memory.hooks import command\n"
        "event = HostEvent('claude', 'before_tool', {}, session='s', cwd='/', tool='Bash', tool_input={'command': 'ls -la'})\n"
        "command.before_command(event); command.after_command(event)\n"
        "sys.exit('sqlite3' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)
