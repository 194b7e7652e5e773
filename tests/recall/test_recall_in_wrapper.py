"""Results of real commands end in what brings back the whole output, and only where that works."""

from __future__ import annotations

import json
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable

import pytest
from tests.hosts.processes import START, environment

from token_saver.recall import outputs, repeats

OFFER = re.compile(rb"\n\[\xe2\x80\xa6 (\d+) lines in full: (.* recall \d+)\]\n\Z")
LOG = "".join(f"2026-11-30T12:00:{number % 60:02} INFO request {number} served\n" for number in range(400))


class Session:
    """A working directory and a session in which outputs are kept."""

    def __init__(self, home: pathlib.Path, folder: pathlib.Path) -> None:
        self.work, self.data = folder / "work", folder / "data"
        self.work.mkdir()
        self.env = environment(
            home,
            TOKEN_SAVER_DATA_DIR=str(self.data),
            TOKEN_SAVER_SESSION="one",
            TOKEN_SAVER_RECALL_ENABLED="true",
            TOKEN_SAVER_TELEMETRY_ENABLED="false",
        )

    def write(self, text: str | bytes, name: str = "server.log") -> None:
        (self.work / name).write_bytes(text.encode() if isinstance(text, str) else text)
        os.utime(self.work / name, (1_000_000_000, 1_000_000_000))

    def run(self, *words: str, limit: int = 0) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*START, *words],
            cwd=self.work,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))) if limit else None,
            timeout=60,
            check=False,
        )

    def shown(self, command: str, limit: int = 0) -> bytes:
        """Return what is shown of a command that succeeds."""
        done = self.run("run", "-c", command, limit=limit)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def offered(self, shown: bytes) -> bytes:
        """Return what the command prints that *shown* ends in."""
        offer = OFFER.search(shown)
        assert offer is not None, shown
        command = offer[2].decode()
        return subprocess.run(["/bin/sh", "-c", command], cwd=self.work, env=self.env, capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A home in which the snapshot has been made."""
    made = tmp_path_factory.mktemp("home")
    subprocess.run([*START, "run", "--", "true"], env=environment(made), stdout=subprocess.PIPE, check=True)
    return made


@pytest.fixture
def session(home: pathlib.Path, tmp_path: pathlib.Path) -> Session:
    made = Session(home, tmp_path)
    made.write(LOG)
    return made


def test_what_the_result_ends_in_prints_the_whole_output(session: Session) -> None:
    shown = session.shown("cat server.log")
    assert len(shown) < len(LOG) / 2 and session.offered(shown) == LOG.encode()


def test_bytes_that_are_no_text_come_back_as_they_were(session: Session) -> None:
    raw = b"\xff\xfe start\r\n" + LOG.encode() + b"\x1b[31mred\x1b[0m \xe2\x80\xa8 no end"
    session.write(raw)
    assert session.offered(session.shown("cat server.log")) == raw


def test_of_an_output_that_is_reduced_all_comes_back(session: Session) -> None:
    raw = "".join(f"2026-11-30T12:00:00 INFO request {number} served in {number % 7} ms\n" for number in range(40_000))
    session.write(raw)
    shown = session.shown("cat server.log")
    assert len(shown) < 100_000 and session.offered(shown) == raw.encode()


def test_secrets_are_masked_in_what_is_kept(session: Session) -> None:
    secret = "ghp_" + "x7Kq2Lm9Vb4Rt8Zp1Wc6Ns3Hd5Gf0YjAeUiO"
    session.write(f"token {secret}\n" + LOG)
    shown = session.shown(f"cat server.log # {secret}")
    assert secret.encode() not in shown and session.offered(shown) == b"token ghp_***\n" + LOG.encode()
    for file in session.data.iterdir():
        assert secret.encode() not in file.read_bytes()
    assert secret.encode() not in session.run("recall", "list").stdout


def test_recalled_output_is_never_shortened_again(session: Session) -> None:
    session.shown("cat server.log")
    for command in ("token-saver recall 1", "true && token-saver recall 1", "python3 -m token_saver recall 1"):
        program = session.work / "token-saver"
        program.write_text(f'#!/bin/sh\nexec {" ".join(START)} "$@"\n')
        program.chmod(0o755)
        command = command.replace("python3", sys.executable).replace("token-saver ", f"{program} ")
        assert session.shown(command) == LOG.encode()


def test_parts_of_it_can_be_chosen(session: Session) -> None:
    session.shown("cat server.log")
    lines = LOG.splitlines(keepends=True)
    assert session.run("recall", "1", "--lines", "3-4").stdout.decode() == "".join(lines[2:4])
    assert session.run("recall", "1", "--grep", "request 399").stdout.decode() == f"400:{lines[399]}"
    assert session.run("recall", "1", "--around", "1").stdout.decode() == "".join(lines[:11])
    done = session.run("recall", "1", "--lines", "1-1", "--format", "json")
    assert {**json.loads(done.stdout), "made": 0, "bytes": 0} == {
        "schema_version": 1,
        "id": 1,
        "made": 0,
        "bytes": 0,
        "command": "cat server.log",
        "family": "file_content",
        "lines": 400,
        "chars": len(LOG),
        "output": lines[0],
    }


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("2", 1),
        ("1 --grep nowhere", 1),
        ("x", 2),
        ("1 --lines x", 2),
        ("1 --grep (", 2),
        ("1 --lines 1 --grep x", 2),
    ],
)
def test_statuses_tell_what_is_missing_from_what_is_wrong(session: Session, words: str, status: int) -> None:
    session.shown("cat server.log")
    done = session.run("recall", *words.split())
    assert (done.returncode, done.stdout.startswith((b"token-saver: ", b"usage: "))) == (status, True)


def test_what_is_kept_is_listed_and_cleared(session: Session) -> None:
    assert session.run("recall", "list").stdout == b"nothing is kept\n" and not session.data.exists()
    session.shown("cat server.log")
    session.shown("cat ./server.log")
    listed = json.loads(session.run("recall", "list", "--format", "json").stdout)["outputs"]
    assert [row["command"] for row in listed] == ["cat ./server.log", "cat server.log"]
    assert b"cat ./server.log" in session.run("recall", "list").stdout
    assert session.run("recall", "clear").stdout == b"2 kept outputs deleted\n"
    assert session.run("recall", "1").returncode == 1


def test_an_output_that_is_too_old_is_gone(session: Session) -> None:
    session.shown("cat server.log")
    with sqlite3.connect(session.data / outputs.FILE) as connection:
        connection.execute("UPDATE kept SET made = made - 90000")
    connection.close()
    assert session.run("recall", "1").returncode == 1


def test_an_output_of_which_nothing_is_left_out_is_not_kept(session: Session) -> None:
    session.write("one\ntwo\n")
    assert session.shown("cat server.log") == b"one\ntwo\n"
    assert session.run("recall", "list").stdout == b"nothing is kept\n"


def test_where_the_way_back_costs_more_than_it_saves_all_is_shown(session: Session) -> None:
    raw = "same line here\n" * 4
    session.write(raw)
    assert session.shown("cat server.log") == raw.encode()


def test_a_document_still_parses_and_is_kept_without_a_last_line(session: Session) -> None:
    document = json.dumps([{"name": f"item {number}", "state": "ready", "size": 1} for number in range(200)], indent=2) + "\n"
    session.write(document, "items.json")
    shown = session.shown("cat items.json")
    assert len(shown) < len(document) / 2 and json.loads(shown)
    assert session.run("recall", "1").stdout.decode() == document


def garbage(path: pathlib.Path) -> None:
    path.write_bytes(b"no database at all " * 1000)


def symlink(path: pathlib.Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


def fifo(path: pathlib.Path) -> None:
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize("fault", [garbage, symlink, fifo], ids=lambda fault: str(fault.__name__))
def test_nothing_is_offered_that_could_not_be_kept(session: Session, fault: Callable[[pathlib.Path], None]) -> None:
    offered = session.shown("cat server.log")
    fault(session.data / outputs.FILE)
    (session.data / repeats.FILE).unlink()
    assert session.shown("cat server.log") == OFFER.sub(b"\n", offered)
    assert session.run("recall", "1").returncode == 2
    assert session.run("recall", "clear").returncode == 2


def test_nothing_is_offered_on_a_full_disk(session: Session) -> None:
    offered = session.shown("cat server.log")
    (session.data / repeats.FILE).unlink()
    assert session.shown("cat server.log", limit=1) == OFFER.sub(b"\n", offered)


def test_a_telling_repeat_is_answered_wide(session: Session) -> None:
    first = session.shown("cat server.log")
    assert OFFER.search(first) is not None
    assert session.shown("cat server.log") == LOG.encode()
    assert session.shown("cat server.log") == LOG.encode()


def test_a_repeat_after_another_command_or_an_edit_explains_itself(session: Session) -> None:
    first = session.shown("cat server.log")
    session.shown("cat ./server.log")
    again = session.shown("cat server.log")
    assert len(again) == len(first)
    (session.work / "other.py").write_text("")
    assert len(session.shown("cat server.log")) == len(first)


def test_another_session_is_answered_by_itself(session: Session) -> None:
    first = session.shown("cat server.log")
    session.env["TOKEN_SAVER_SESSION"] = "two"
    assert len(session.shown("cat server.log")) == len(first)
    session.env["TOKEN_SAVER_SESSION"] = ""
    assert len(session.shown("cat server.log")) == len(session.shown("cat server.log")) == len(first)
