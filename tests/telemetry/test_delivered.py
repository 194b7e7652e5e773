"""Real commands, recorded: what is stored of them, that faults change nothing of them, that the statistics count rightly."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from tests.hosts.hooks import payload
from tests.hosts.processes import START, Wrapper, environment, wait_until
from tests.recorded import Recorded, own_cases
from tests.telemetry.records import rows
from tests.telemetry.test_spool import SOURCE

from token_saver.telemetry import spool
from token_saver.telemetry.tracker import FILE

_PLAIN = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/= ")
LOG = "".join(
    f"commit {number:040x}\nAuthor: A <a@example.org>\nDate:   Mon Nov 30 12:00:00 2026 +0000\n\n    Say something\n\n"
    for number in range(40)
)

_BREAKING = """
from token_saver.processor import Family


class Breaking(Family):
    \"\"\"Loses every line.\"\"\"

    name = "breaking"
    commands = ("mytool",)
    handles_failure = True

    def read(self, capture):
        return []
"""


class Place:
    """A home, a data folder, and programs that print what is recorded of them."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.home = folder / "home"
        self.data = folder / "data"
        self.tools = folder / "tools"
        for made in (self.home, self.tools):
            made.mkdir()
        self._run = Wrapper(self.home, folder)

    def add(self, program: str) -> None:
        """Make a program that prints $CAPTURE and ends with $STATUS."""
        path = self.tools / program
        path.write_text('#!/bin/sh\n/bin/cat "$CAPTURE"\nexit "$STATUS"\n')
        path.chmod(0o755)

    def run(
        self, command: str, capture: pathlib.Path, status: int = 0, *, more: dict[str, str] | None = None, **options: Any
    ) -> Any:
        """Run *command* through the wrapper."""
        env = {"PATH": f"{self.tools}:{os.environ['PATH']}", "CAPTURE": str(capture), "STATUS": str(status), "SHELL": "/bin/sh"}
        env |= {"TOKEN_SAVER_DATA_DIR": str(self.data), "CLAUDECODE": "1", **(more or {})}
        return self._run("run", "-c", command, env=environment(self.home, **env), **options)

    def stats(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Ask ``token-saver stats``."""
        env = environment(self.home, TOKEN_SAVER_DATA_DIR=str(self.data))
        argv = [sys.executable, "-m", "token_saver", "stats", *words]
        return subprocess.run(argv, env=env, capture_output=True, text=True, check=False, cwd=self.home)

    def trouble(self) -> list[str]:
        """Return the lines of our log."""
        return [line for path in self.home.glob(".cache/token-saver/*/trouble.log") for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A place with ``git`` in it, and a snapshot."""
    made = Place(tmp_path_factory.mktemp("place"))
    made.add("git")
    (made.home / "log").write_text(LOG)
    made.run("git log", made.home / "log")
    return made


@pytest.fixture
def fresh(place: Place) -> Iterator[Place]:
    """The place without any record."""
    for path in [*place.data.glob("*"), *place.home.glob(".cache/token-saver/*/trouble.log")]:
        path.unlink()
    yield place


def test_of_a_command_its_program_and_subcommand_are_stored(fresh: Place) -> None:
    fresh.run("git log --author=somebody@example.org -S hunter2 --token=ghp_" + "a" * 36, fresh.home / "log")
    text = (fresh.data / spool.FILE).read_text()
    assert "\tgit log\t" in text
    assert not [word for word in ("somebody", "hunter2", "ghp_", "author") if word in text]


def test_the_whole_masked_line_is_stored_where_the_user_wants_it(fresh: Place) -> None:
    more = {"TOKEN_SAVER_TELEMETRY_STORE_COMMANDS": "true", "TOKEN_SAVER_TELEMETRY_JOURNAL": "true"}
    fresh.run("git log --oneline --token=ghp_" + "a1" * 18, fresh.home / "log", more=more)
    for name in (spool.FILE, "audit.jsonl"):
        text = (fresh.data / name).read_text()
        assert "git log --oneline --token=" in text
        assert "a1a1a1" not in text


def test_nothing_is_stored_where_the_user_wants_nothing(fresh: Place) -> None:
    fresh.run("git log", fresh.home / "log", more={"TOKEN_SAVER_TELEMETRY_ENABLED": "false"})
    assert list(fresh.data.glob("*")) == []


def test_an_output_that_passes_is_recorded_too(fresh: Place) -> None:
    (fresh.home / "hello").write_text("hello\n")
    fresh.run("git rev-parse", fresh.home / "hello", 3)
    report = json.loads(fresh.stats("--json").stdout)
    found = report["scopes"]["all"]
    assert (found["commands"], found["shortened"], found["original"], found["shown"]) == (1, 0, 6, 6)
    assert rows(fresh.data, "SELECT status, mode FROM savings") == [(3, "wrap")]


def _spoil(place: Place, fault: str) -> dict[str, Any]:
    """Bring *fault* about and return what the command is started with."""
    if fault == "corrupt":
        place.data.mkdir(exist_ok=True)
        (place.data / FILE).write_bytes(b"no database" * 1000)
    elif fault == "folder is a file":
        (place.home / "file").write_text("")
        return {"more": {"TOKEN_SAVER_DATA_DIR": str(place.home / "file")}}
    elif fault == "read-only":
        # The kernel's own read-only place also keeps root out.
        return {"more": {"TOKEN_SAVER_DATA_DIR": "/proc/token-saver"}}
    elif fault == "disk full":
        return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))}
    elif fault == "pipe in the way":
        place.data.mkdir(exist_ok=True)
        (place.data / spool.FILE).unlink()
        os.mkfifo(place.data / spool.FILE)
    return {}


@pytest.mark.parametrize("fault", ["corrupt", "folder is a file", "read-only", "disk full", "pipe in the way"])
def test_no_fault_changes_a_command(fresh: Place, fault: str) -> None:
    sound = fresh.run("git log", fresh.home / "log", 3)
    options = _spoil(fresh, fault)
    began = time.monotonic()
    spoilt = [fresh.run("git log", fresh.home / "log", 3, **options) for _ in range(2)]
    assert time.monotonic() - began < 5
    assert {(done.returncode, done.stdout) for done in spoilt} == {(3, sound.stdout)}
    assert "[…" in sound.stdout.decode() or len(sound.stdout) < len(LOG)
    noted = [line for line in fresh.trouble() if " recording " in line]
    assert len(noted) == (fault not in ("corrupt", "disk full")), noted
    assert not [line for line in noted if "git" in line]


def test_a_locked_database_delays_no_command(fresh: Place) -> None:
    fresh.run("git log", fresh.home / "log")
    fresh.stats("--json")
    holder = sqlite3.connect(fresh.data / FILE, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    began = time.monotonic()
    fresh.run("git log", fresh.home / "log")
    assert time.monotonic() - began < 2
    holder.execute("COMMIT")
    holder.close()
    assert json.loads(fresh.stats("--json").stdout)["scopes"]["all"]["commands"] == 2


def test_a_damaged_database_is_told_of_and_kept(fresh: Place) -> None:
    _spoil(fresh, "corrupt")
    fresh.run("git log", fresh.home / "log")
    done = fresh.stats("--json")
    assert "damaged" in done.stderr
    assert json.loads(done.stdout)["scopes"]["all"]["commands"] == 1
    assert len(list(fresh.data.glob(f"{FILE}.damaged-*"))) == 1


def _hook(place: Place, event: dict[str, Any], mode: str) -> None:
    env = environment(place.home, TOKEN_SAVER_DATA_DIR=str(place.data))
    argv = [*START, "hook", "claude", mode]
    subprocess.run(argv, input=json.dumps(event).encode(), env=env, capture_output=True, check=True)


def test_the_output_that_a_hook_was_handed_is_recorded(fresh: Place) -> None:
    event = payload("claude", "post_tool_use", tool_input={"command": "git log"}, session_id="abc", cwd=str(fresh.home))
    event["tool_response"] = {"stdout": LOG, "stderr": "", "interrupted": False, "isImage": False}
    _hook(fresh, event, "post")
    report = json.loads(fresh.stats("--json", "--session", "abc").stdout)
    found = report["scopes"]["session"]
    assert (found["commands"], found["original"], report["families"][0]["name"]) == (1, len(LOG), "git")
    assert 0 < found["shown"] < len(LOG)
    assert rows(fresh.data, "SELECT mode, host FROM savings JOIN sessions s ON s.id = session") == [("post", "claude")]


def test_the_output_between_the_labels_of_a_host_is_recorded(fresh: Place) -> None:
    event = payload("gemini", "after_tool", tool_input={"command": "git log"})
    event["tool_response"] = {"llmContent": f"Command: git log\nOutput: {LOG}\nExit Code: 2"}
    env = environment(fresh.home, TOKEN_SAVER_DATA_DIR=str(fresh.data))
    done = subprocess.run([*START, "hook", "gemini"], input=json.dumps(event).encode(), env=env, capture_output=True, check=True)
    shown = json.loads(done.stdout)["reason"]
    assert rows(fresh.data, "SELECT count(*) FROM savings") == [(0,)]
    found = json.loads(fresh.stats("--json").stdout)["scopes"]["all"]
    assert found["gross"] == len(event["tool_response"]["llmContent"]) - len(shown)
    expected = [("after-tool", "gemini", 2, len(LOG))]
    query = "SELECT mode, host, status, savings.original FROM savings JOIN sessions s ON s.id = session"
    assert rows(fresh.data, query) == expected


def test_a_command_that_switches_us_off_gives_its_saving_back(fresh: Place) -> None:
    where = {"TOKEN_SAVER_SESSION": "abc"}
    fresh.run("git log", fresh.home / "log", more=where, cwd=fresh.home)
    asked = {"tool_input": {"command": "TOKEN_SAVER=off git log"}, "session_id": "abc", "cwd": str(fresh.home)}
    event = payload("claude", "pre_tool_use", **asked)
    _hook(fresh, event, "wrap")
    found = json.loads(fresh.stats("--json").stdout)["scopes"]["all"]
    assert found["gross"] > 0
    assert (found["escapes"], found["net"]) == (found["gross"], 0)


def _replayed() -> list[Recorded]:
    """Return recordings whose commands are plain words, every fifth of them."""
    plain = [case for case in own_cases() if _PLAIN.issuperset(case.command) and "/" not in case.command.split()[0]]
    return [case for case in plain if "=" not in case.command.split()[0] and not (case.exit_code or 0) < 0][::5][:40]


@pytest.mark.slow
def test_the_statistics_agree_with_a_recount_of_what_was_seen(tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path)
    original = shown = gross = cut = shortened = 0
    cases = _replayed()
    assert len(cases) > 20
    for number, case in enumerate(cases):
        place.add(case.command.split()[0])
        done = place.run(case.command, case.path, case.exit_code or 0, more={"TOKEN_SAVER_SESSION": f"s{number}"})
        printed, seen = len(case.text), len(done.stdout.decode("utf-8", "surrogateescape"))
        original, shown = original + printed, shown + seen
        less = printed - seen if abs(printed - seen) > 1 else 0
        gross += less
        shortened += less > 0
        cut += less - (min(printed, 30_000) - min(seen, 30_000)) if less > 0 else 0
    report = json.loads(place.stats("--json").stdout)
    found = report["scopes"]["all"]
    assert (found["commands"], found["original"], found["shown"]) == (len(cases), original, shown)
    assert (found["shortened"], found["gross"], found["host_cut"], found["net"]) == (shortened, gross, cut, gross - cut)
    for lines in ("families", "commands", "days"):
        for name in ("commands", "original", "shown", "net"):
            assert sum(row[name] for row in report[lines]) == found[name]


def test_a_wrapper_that_is_killed_leaves_the_database_usable(fresh: Place) -> None:
    fresh.run("git log", fresh.home / "log")
    fresh.stats("--json")
    env = {
        "TOKEN_SAVER_DATA_DIR": str(fresh.data),
        "CAPTURE": str(fresh.home / "log"),
        "STATUS": "0",
        "PATH": f"{fresh.tools}:/bin",
    }
    argv = [*START, "run", "-c", "git log"]
    for delay in (0.02, 0.04, 0.06):
        with subprocess.Popen(argv, env=environment(fresh.home, **env), stdout=subprocess.PIPE) as process:
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
    fresh.run("git log", fresh.home / "log")
    assert 2 <= json.loads(fresh.stats("--json").stdout)["scopes"]["all"]["commands"] <= 5


def test_a_processor_that_breaks_its_contract_is_told_of(tmp_path: pathlib.Path) -> None:
    place = Place(tmp_path)
    place.add("mytool")
    (place.home / "log").write_text(LOG)
    (tmp_path / "own").mkdir()
    (tmp_path / "own/breaking.py").write_text(_BREAKING)
    place.run("mytool it", place.home / "log", more={"TOKEN_SAVER_USER_PROCESSORS_DIR": str(tmp_path / "own")})
    settings = place.home / ".config/token-saver/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f"user_processors_dir = '{tmp_path}/own'\n")
    done = place.run("mytool it", place.home / "log", 1)
    assert done.returncode == 1
    report = json.loads(place.stats("--json").stdout)
    assert report["mismatches"] == [{"processor": "breaking", "command": "mytool", "times": 1, "original": len(LOG)}]
    assert report["scopes"]["all"]["commands"] == 2


def test_a_slow_command_has_a_large_spool_taken_in_apart(fresh: Place) -> None:
    writer = spool.SpoolWriter(str(fresh.data))
    for number in range(4_000):
        writer.record_saving(spool.Record(spool.RUN, number, session="s", folder="/" + "x" * 60, command="git log"))
    (fresh.tools / "slowly").write_text("#!/bin/sh\nsleep 2.1\necho done\n")
    (fresh.tools / "slowly").chmod(0o755)
    began = time.monotonic()
    assert fresh.run("slowly", fresh.home / "log").stdout == b"done\n"
    assert time.monotonic() - began < 4
    assert wait_until(lambda: not list(fresh.data.glob(f"*{spool.FILE}")), within=20)
    assert rows(fresh.data, "SELECT command, mode FROM savings WHERE original > 0") == [("slowly", "wrap")]


def test_an_observer_that_hangs_delays_no_host_for_long(fresh: Place, tmp_path: pathlib.Path) -> None:
    """A hook is over soon, whatever is still at work when its reply is out."""
    os.mkfifo(tmp_path / "pipe")
    code = (
        f"import sys; sys.path.insert(0, {SOURCE!r}); from token_saver.hosts import hook\n"
        f"hook.afterwards.append(lambda: open({str(tmp_path / 'pipe')!r}).read())\n"
        "hook.main(['claude', 'wrap']); print('never')"
    )
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert time.monotonic() - began < 6


def test_the_start_of_a_session_has_the_spool_taken_in_for_the_next(fresh: Place) -> None:
    fresh.run("git log", fresh.home / "log", cwd=fresh.home)
    code = (
        "import os, sys; from token_saver.settings import load; from token_saver.telemetry.queries import session_line;"
        "print(session_line(load().as_dict(), os.getcwd()))"
    )

    def line() -> str:
        env = environment(fresh.home, TOKEN_SAVER_DATA_DIR=str(fresh.data))
        return subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=fresh.home, capture_output=True, text=True, check=True
        ).stdout

    assert line() == "\n"
    assert wait_until(lambda: not list(fresh.data.glob(f"*{spool.FILE}")), within=20)
    assert line().startswith("Token-Saver: about ")
