"""The rules: which commands they are about, and that they refuse once and then let pass."""

from __future__ import annotations

import pathlib
import sqlite3
from collections.abc import Iterator

import pytest
from token_saver_memory import ledger, schema
from token_saver_memory.rules import catalogue, guard


@pytest.fixture
def memory(tmp_path: pathlib.Path) -> Iterator[sqlite3.Connection]:
    connection = schema.connect(str(tmp_path / "data" / "memory.db"), timeout=5.0)
    connection.execute("INSERT INTO project VALUES (1, '/a', 'git', 'a', 0)")
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("git push --force origin main", "force-push"),
        ("cd web && git push -f", "force-push"),
        ("git push origin +main", "force-push"),
        ("sudo FOO=1 /usr/bin/git reset --hard HEAD~1", "reset-hard"),
        ("bash -c 'git reset --hard'", "reset-hard"),
        ("git clean -fdx", "clean-ignored"),
        ('psql -c "DELETE FROM users"', "delete-without-where"),
        ("sqlite3 a.db 'update users set admin = 1'", "delete-without-where"),
        ("rm -rf / ", "remove-root"),
        ("rm -fr ~", "remove-root"),
        ("psql -c 'drop table users'", "drop-needs-backup"),
        ("git commit --no-verify -m x", "skip-hooks"),
        ("chmod -R 777 .", "world-writable"),
        ("npm publish", "publish"),
    ],
)
def test_a_rule_finds_its_command(line: str, rule: str) -> None:
    assert [each.name for each in catalogue.about(line)] == [rule]


@pytest.mark.parametrize(
    "line",
    [
        "git push origin main",
        "git push --force-with-lease",
        "echo 'git push --force'",
        "grep -rn 'git reset --hard' docs",
        "git reset --soft HEAD~1",
        "git clean -fd",
        "git clean -ndx",
        'psql -c "DELETE FROM users WHERE id = 3"',
        "rm -rf ./build",
        "rm -rf /tmp/x",
        "git log --grep 'drop table'",
        "npm publish --dry-run",
        "git push -n",
        "chmod 755 run.sh",
        "echo 'unclosed",
        "",
    ],
)
def test_what_only_speaks_of_it_is_left_alone(line: str) -> None:
    assert catalogue.about(line) == []


def call(command: str, session: str = "s") -> guard.Call:
    return guard.Call(session, "Bash", {"command": command}, 1)


def say(memory: sqlite3.Connection, command: str, session: str = "s") -> guard.Verdict:
    return guard.judged(memory, call(command, session), command)


def test_the_same_call_is_refused_once_and_another_session_once_more(memory: sqlite3.Connection) -> None:
    first = say(memory, "git push --force")
    assert "--force-with-lease" in first.refusal and "run the same call again" in first.refusal
    assert say(memory, "git push --force") == guard.Verdict()
    assert say(memory, "git push --force origin dev").refusal
    assert say(memory, "git push --force", "other").refusal
    ledger.end_session(memory, "other")
    found = memory.execute("SELECT session_id, outcome FROM ledger WHERE kind = 'refusal' ORDER BY id").fetchall()
    assert found == [("s", "insisted"), ("s", None), ("other", "acted_on")]


def test_without_a_session_nothing_is_refused(memory: sqlite3.Connection) -> None:
    assert say(memory, "git push --force", "") == guard.Verdict()


def test_nothing_of_the_arguments_is_kept(memory: sqlite3.Connection, tmp_path: pathlib.Path) -> None:
    say(memory, "git push --force https://joe:hunter2@example.org/repo")
    say(memory, "chmod 777 hunter2")
    memory.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"hunter2" not in b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir())


def test_a_precondition_is_met_by_a_command_that_succeeded(memory: sqlite3.Connection) -> None:
    drop = "psql -c 'drop table users'"
    assert "dump" in say(memory, drop).refusal
    guard.succeeded(memory, call("echo pg_dump"), "echo pg_dump")
    assert say(memory, "psql -c 'drop table b'").refusal
    guard.succeeded(memory, call("x"), "pg_dump shop > shop.sql")
    assert say(memory, "psql -c 'drop table c'") == guard.Verdict()
    assert say(memory, "psql -c 'drop table c'", "other").refusal
    outcomes = {row[0] for row in memory.execute("SELECT outcome FROM ledger WHERE kind = 'precondition'")}
    assert outcomes == {"met", "unmet"}


def test_advice_that_had_to_be_repeated_was_ignored(memory: sqlite3.Connection) -> None:
    assert "everybody" in say(memory, "chmod 777 a").advice
    assert say(memory, "chmod 777 b").advice and say(memory, "chmod 777 b", "other").advice
    ledger.end_session(memory, "other")
    found = memory.execute("SELECT session_id, outcome FROM ledger ORDER BY id").fetchall()
    assert found == [("s", "ignored"), ("s", None), ("other", "acted_on")]


def test_what_was_not_measured_is_no_number(memory: sqlite3.Connection) -> None:
    found = ledger.balance(memory, 1)
    assert found == ledger.Balance({}, None, None, None, None)
    assert all("no data" in line for line in ledger.described(found)) and "0" not in "".join(ledger.described(found))
    ledger.note(memory, "injection", "s", project_id=1, tokens=100)
    found = ledger.balance(memory, 1)
    assert found.spent_tokens == 100 and found.net_tokens is None and found.taken_up_share is None
