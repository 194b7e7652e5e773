"""The file: every change is logged, hidden rows are hidden everywhere, nothing acknowledged is lost, secrets never arrive."""

from __future__ import annotations

import ast
import json
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import token_saver_memory
from token_saver_memory import schema
from token_saver_memory.maintenance import examine, purge, relocate, repair
from token_saver_memory.memory import Memory, open_memory
from token_saver_memory.values import AGENT, PERSON, TOOL, Draft, Scope

from conftest import Repository
from token_saver.errors import InputError, StoreError

PACKAGE = Path(token_saver_memory.__file__).parent


def log(memory: Memory) -> list[tuple[str, str, str, str]]:
    return memory.connection.execute("SELECT op, actor, session_id, reason FROM mutation ORDER BY seq").fetchall()


def test_every_change_leaves_one_row_with_who_and_why(memory: Memory, scope: Scope) -> None:
    first = memory.save(
        Draft(scope, "config", "Port of payments", "is 8940"), actor=AGENT, session="s1", reason="seen in compose.yml"
    )
    second = memory.save(Draft(scope, "config", "Port of payments", "is 8941"), actor=TOOL, session="s2")
    memory.forget(second.item_id, actor=PERSON, session="s3", reason="retired service")
    memory.restore(second.item_id, actor=PERSON)
    memory.set_global(second.item_id, True)
    memory.confirm(second.item_id, scope)
    memory.dispute(second.item_id)
    memory.connection.execute("UPDATE item SET title = 'changed by hand' WHERE id = ?", (first.item_id,))
    assert log(memory) == [
        ("create", "agent", "s1", "seen in compose.yml"),
        ("supersede", "tool", "s2", ""),
        ("create", "tool", "s2", ""),
        ("forget", "user", "s3", "retired service"),
        ("restore", "user", "", ""),
        ("scope", "user", "", ""),
        ("review", "user", "", ""),
        ("review", "user", "", ""),
        ("edit", "unknown", "", ""),
    ]
    changes = memory.history(second.item_id)[1]
    assert (
        json.loads(changes[3].before or "")["body"] == "is 8941"
        and json.loads(changes[3].after or "")["retired_why"] == "forgotten"
    )


@pytest.mark.parametrize(
    "statement", ["UPDATE mutation SET actor = 'x'", "DELETE FROM mutation", "DELETE FROM mutation WHERE seq = 1"]
)
def test_the_log_is_append_only(memory: Memory, scope: Scope, statement: str) -> None:
    memory.save(Draft(scope, "note", "Kept for good"), actor=AGENT)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        memory.connection.execute(statement)


def test_a_failed_transaction_leaves_nothing(memory: Memory, scope: Scope) -> None:
    with pytest.raises(RuntimeError), memory.writing(AGENT) as connection:
        connection.execute("INSERT INTO session (id, host, started_at) VALUES ('s', 'claude', 0)")
        raise RuntimeError
    assert memory.connection.execute("SELECT count(*) FROM session").fetchone() == (0,)
    assert memory.connection.execute("SELECT actor FROM write_ctx").fetchone() == ("unknown",)


CHANNELS = ("search", "search of a kind", "index", "get", "by file", "by symbol")


def channels(memory: Memory, scope: Scope | None) -> dict[str, list[int]]:
    """What each way to read shows."""
    return {
        "search": [row.id for row in memory.search(scope, "kestrel feeder", limit=20)],
        "search of a kind": [row.id for row in memory.search(scope, "kestrel feeder", types=["note"])],
        "index": [row.id for row in memory.index(scope)],
        "get": [row.id for row in memory.get(range(1, 20), scope)],
        "by file": [row.id for row in memory.by_path(scope, "src/feeder.py")],
        "by symbol": [row.id for row in memory.by_symbol(scope, "feed")],
    }


def hidden_ways(memory: Memory, scope: Scope, other: Scope) -> dict[str, Callable[[int], object]]:
    sql = memory.connection.execute
    return {
        "quarantined": lambda number: sql("UPDATE item SET review = 'quarantined' WHERE id = ?", (number,)),
        "disputed": lambda number: memory.dispute(number),
        "forgotten": lambda number: memory.forget(number, actor=PERSON),
        "past its lifetime": lambda number: sql("UPDATE item SET expires_at = ? WHERE id = ?", (time.time() - 1, number)),
        "expired": lambda number: (sql("UPDATE item SET expires_at = 1 WHERE id = ?", (number,)), memory.expire()),
        "another project's": lambda number: sql("UPDATE item SET project_id = ? WHERE id = ?", (other.project_id, number)),
    }


@pytest.mark.parametrize("way", ["quarantined", "disputed", "forgotten", "past its lifetime", "expired", "another project's"])
def test_a_hidden_row_is_in_no_channel(
    memory: Memory, scope: Scope, make_repository: Callable[[str], Repository], way: str
) -> None:
    draft = Draft(scope, "note", "Kestrel feeder needs warm seed", symbol="feed", file_path="src/feeder.py")
    number = memory.save(draft, actor=AGENT).item_id
    assert channels(memory, scope) == {name: [number] for name in CHANNELS}
    other = memory.scope(str(make_repository("beta").path))
    assert other is not None
    hidden_ways(memory, scope, other)[way](number)
    assert channels(memory, scope) == {name: [] for name in CHANNELS}
    assert channels(memory, None) == {name: [] for name in CHANNELS}
    assert f"#{number}" in memory.why_not(number, scope)


WRITERS = {
    "stats",
    "decide",
    "saving",
    "reviewing",
    "records",
    "maintenance",
    "migrations",
    "transfer",
    "sweep",
    "memory",
    "searching",
}
"""Modules that may name the table: they write it, or are a person's view of it. In memory and searching only by id and size."""


def test_reads_name_the_view_and_no_module_counts_rows_to_find_a_project() -> None:
    for path in PACKAGE.rglob("*.py"):
        texts = [
            node.value
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        ]
        for text in texts:
            if path.stem not in WRITERS:
                assert not re.search(r"\b(?:FROM|JOIN|UPDATE|INTO)\s+item\b", text), (path.name, text)
            if re.search(r"GROUP BY\s+project_id", text):
                assert path.stem == "stats", (path.name, text)
    for name in ("memory.py", "searching.py"):
        found = re.findall(r"FROM item\b[^\"]*", (PACKAGE / name).read_text())
        assert all("WHERE id = ?" in statement or statement == "FROM item" for statement in found), found


def test_beliefs_of_one_time_about_another(memory: Memory, scope: Scope) -> None:
    start = time.time() - 1000
    memory.save(Draft(scope, "config", "Port of payments", "is 8940", valid_from=start), actor=AGENT)
    before = time.time()
    time.sleep(0.01)
    memory.save(Draft(scope, "config", "Port of payments", "is 8941", valid_from=start + 500), actor=AGENT)
    after = time.time()

    def ports(at: float, about: float) -> list[str]:
        return [row.body for row in memory.believed(scope, at, about)]

    assert ports(before, start + 100) == ["is 8940"]
    assert ports(before, start + 600) == ["is 8940"]  # nobody knew yet
    assert ports(after, start + 100) == ["is 8940"]
    assert ports(after, start + 600) == ["is 8941"]
    assert ports(after, start - 1) == [] == ports(start, after)
    memory.forget(2, actor=PERSON)
    assert ports(time.time(), start + 600) == [] and ports(after, start + 600) == ["is 8941"]


def test_lifetimes(memory: Memory, scope: Scope) -> None:
    day = 86_400

    def days(kind: str, title: str) -> float | None:
        row = memory.get([memory.save(Draft(scope, kind, title), actor=AGENT).item_id], scope)[0]
        return row.expires_at and round((row.expires_at - row.recorded_at) / day)

    assert days("guardrail", "Never edit generated files") is None
    assert days("command", "make lock updates pins") == 60
    assert days("infra", "The staging cluster runs in Oslo") == 365
    assert days("infra", "IPv6 is not supported by the balancer") == 30
    assert days("ruled_out", "Streaming parser: does not work with gzip") == 180


def test_reading_never_makes_a_row_younger_or_worthier(memory: Memory, scope: Scope) -> None:
    number = memory.save(Draft(scope, "note", "Kestrel feeder needs warm seed"), actor=AGENT).item_id
    before = list(memory.connection.iterdump())
    for _ in range(5):
        channels(memory, scope)
        memory.history(number)
    assert list(memory.connection.iterdump()) == before


SECRETS = ["ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6", "hunter2-correct-horse", "MIIEpAIBAAKCAQEA0Zx7"]
DIRTY = (
    "<private>hunter2-correct-horse</private> token ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6\n"
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA0Zx7\n-----END RSA PRIVATE KEY-----\n"
)


def test_no_secret_reaches_the_file(memory: Memory, scope: Scope, data_folder: Path) -> None:
    saved = memory.save(
        Draft(scope, "note", f"Log in {DIRTY}", DIRTY, DIRTY, DIRTY, subject=f"login {DIRTY}", symbol=DIRTY, file_path=DIRTY),
        actor=AGENT,
        session=DIRTY,
        reason=DIRTY,
    )
    memory.save(Draft(scope, "command", "Log in", "registry login --password hunter2-correct-horse"), actor=AGENT)
    memory.dispute(saved.item_id, reason=DIRTY, session=DIRTY)
    memory.forget(saved.item_id, actor=PERSON, reason=DIRTY, session=DIRTY)
    memory.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    stored = b"".join(path.read_bytes() for path in data_folder.iterdir())
    for secret in SECRETS:
        assert secret.encode() not in stored
    assert b"registry login --password" in stored


def test_a_row_is_erased_for_good(memory: Memory, scope: Scope, data_folder: Path) -> None:
    saved = memory.save(Draft(scope, "note", "Kestrel nests above bay seven", "the zanzibar cage", why="pelican"), actor=AGENT)
    memory.save(Draft(scope, "note", "Something else stays"), actor=AGENT)
    memory.dispute(saved.item_id, reason="zanzibar is wrong")
    (data_folder / "memory.db.v1.bak").write_text("zanzibar")
    assert purge(memory.connection, memory.path, saved.item_id, "", "") == 1
    stored = b"".join(path.read_bytes() for path in data_folder.iterdir()).lower()
    for word in (b"kestrel", b"zanzibar", b"pelican", b"nest"):
        assert word not in stored
    assert b"something else" in stored
    assert (
        memory.save(Draft(scope, "note", "Kestrel nests above bay seven", "the zanzibar cage"), actor=AGENT).decision == "refused"
    )
    assert [change.op for change in memory.history(saved.item_id)[1]] == ["create", "review", "purge"]
    with pytest.raises(InputError, match="text is gone"):
        memory.restore(saved.item_id, actor=PERSON)
    with pytest.raises(InputError, match="before"):
        purge(memory.connection, memory.path, saved.item_id, "", "")
    with pytest.raises(sqlite3.IntegrityError):
        memory.connection.execute("DELETE FROM mutation")


def test_the_file_is_the_users_alone(memory: Memory, data_folder: Path) -> None:
    assert stat.S_IMODE(data_folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in data_folder.iterdir()} == {0o600}
    assert {finding.name: finding.well for finding in examine(memory.connection, memory.path)} == dict.fromkeys(
        ("schema", "pages", "references", "item_fts", "rollup_fts", "rights"), True
    )


def test_an_index_out_of_step_is_found_and_repaired(memory: Memory, scope: Scope) -> None:
    memory.save(Draft(scope, "note", "Kestrel feeder needs warm seed"), actor=AGENT)
    memory.connection.execute("INSERT INTO item_fts (item_fts) VALUES ('delete-all')")
    assert memory.search(scope, "kestrel feeder") == []
    assert [finding.name for finding in examine(memory.connection, memory.path) if not finding.well] == ["item_fts"]
    repair(memory.connection)
    assert len(memory.search(scope, "kestrel feeder")) == 1


WRITER = """
import sys
from token_saver_memory.memory import open_memory
from token_saver_memory.values import AGENT, Draft
name, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open_memory() as memory:
    scope = memory.scope(folder)
    for number in range(count):
        saved = memory.save(Draft(scope, "bugfix", f"writer {name} number {number}", f"{name}-{number}"), actor=AGENT)
        print(saved.item_id, f"{name}-{number}", flush=True)
"""


def test_four_writers_and_one_is_killed(repository: Repository) -> None:
    commands = [[sys.executable, "-c", WRITER, name, str(repository.path), "100000" if name == "d" else "200"] for name in "abcd"]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for command in commands]
    victim = running[-1]
    assert victim.stdout is not None
    said = [victim.stdout.readline() for _ in range(25)]
    victim.send_signal(signal.SIGKILL)
    said += victim.communicate()[0].splitlines()
    for process in running[:-1]:
        said += process.communicate(timeout=60)[0].splitlines()
        assert process.returncode == 0
    acknowledged = dict(line.split() for line in said if len(line.split()) == 2)
    assert len(acknowledged) >= 3 * 200 + 25
    with open_memory() as memory:
        stored = {str(number): body for number, body in memory.connection.execute("SELECT id, body FROM item")}
        assert acknowledged.items() <= stored.items()
        assert memory.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert all(finding.well for finding in examine(memory.connection, memory.path))
        assert memory.connection.execute("SELECT count(*) FROM mutation WHERE op = 'create'").fetchone()[0] == len(stored)


def test_who_cannot_wait_is_told_so(memory: Memory, scope: Scope) -> None:
    with open_memory(timeout=0.05) as hasty, memory.writing(AGENT):
        started = time.monotonic()
        with pytest.raises(StoreError, match="locked"):
            hasty.save(Draft(scope, "note", "In a hurry"), actor=AGENT)
        assert time.monotonic() - started < 1
        assert hasty.index(scope) == []


def old_file(path: Path) -> None:
    """Write the file of version 1 with a row, as that release did."""
    path.parent.mkdir(mode=0o700)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("BEGIN")
    schema.run_script(connection, (Path(__file__).parent / "schemas" / "version_1.sql").read_text())
    schema.lay_triggers(connection)
    connection.execute("INSERT INTO project VALUES (1, '/old/.git', 'git', 'old', 1)")
    connection.execute(
        "INSERT INTO item (uid, project_id, type, title, provenance, valid_from, recorded_at, seen_at, text_hash) "
        "VALUES ('u', 1, 'note', 'Kestrel feeder', 'user', 1, 1, 1, 'h')"
    )
    connection.execute("PRAGMA user_version = 1")
    connection.execute("COMMIT")
    connection.close()
    path.chmod(0o600)


def shape(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """The tables with their columns, and everything else with its text."""
    found = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE '%_sqlite_migrations%'").fetchall()
    return {
        (
            name,
            str(sorted(connection.execute(f"PRAGMA table_xinfo('{name}')"), key=lambda column: column[1]))
            if kind == "table"
            else sql,
        )
        for kind, name, sql in found
        if not name.startswith(("sqlite_", "item_fts_", "rollup_fts_"))
    }


def columns_only(shapes: set[tuple[str, str]]) -> set[tuple[str, str]]:
    return {(name, re.sub(r"\((\d+), ", "(", text)) for name, text in shapes}


def test_an_old_file_is_brought_up_to_date_once(data_folder: Path, tmp_path: Path) -> None:
    old_file(data_folder / "memory.db")
    with open_memory() as memory, open_memory(str(tmp_path / "new" / "memory.db")) as new:
        assert columns_only(shape(memory.connection)) == columns_only(shape(new.connection))
        assert schema.version_of(memory.connection) == schema.VERSION
        assert memory.connection.execute("SELECT id, title FROM visible_item").fetchall() == [(1, "Kestrel feeder")]
        assert all(finding.well for finding in examine(memory.connection, memory.path))
        before = list(memory.connection.iterdump())
    copy = data_folder / "memory.db.v1.bak"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert sqlite3.connect(copy).execute("SELECT title FROM item").fetchall() == [("Kestrel feeder",)]
    made = copy.stat().st_mtime_ns
    with open_memory() as memory:
        assert list(memory.connection.iterdump()) == before
    assert copy.stat().st_mtime_ns == made


def test_a_failed_step_leaves_the_old_version(data_folder: Path) -> None:
    old_file(data_folder / "memory.db")
    connection = sqlite3.connect(data_folder / "memory.db")
    connection.execute("ALTER TABLE list_event ADD COLUMN rivals BLOB")  # so that the step fails
    connection.commit()
    with pytest.raises(StoreError, match="is as it was"):
        open_memory()
    assert schema.version_of(connection) == 1
    assert connection.execute("SELECT count(*) FROM sqlite_master WHERE type = 'trigger'").fetchone()[0] > 10
    assert connection.execute("SELECT title FROM visible_item").fetchall() == [("Kestrel feeder",)]


def test_a_newer_file_is_only_read(memory: Memory, scope: Scope) -> None:
    memory.save(Draft(scope, "note", "Kestrel feeder needs warm seed"), actor=AGENT)
    memory.connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    with open_memory() as older:
        assert len(older.search(scope, "kestrel feeder")) == 1
        with pytest.raises(StoreError, match="newer token-saver-memory"):
            older.save(Draft(scope, "note", "Not to be written"), actor=AGENT)
    memory.connection.execute(f"PRAGMA user_version = {schema.VERSION}")


def test_a_moved_repository_is_linked_again_on_request(
    memory: Memory, repository: Repository, scope: Scope, tmp_path: Path
) -> None:
    number = memory.save(Draft(scope, "note", "Kestrel feeder needs warm seed"), actor=AGENT).item_id
    os.rename(repository.path, tmp_path / "moved")
    there = memory.scope(str(tmp_path / "moved"))
    assert memory.index(there) == []
    old, new, count = relocate(memory.connection, str(repository.path), str(tmp_path / "moved"))
    assert (old, new, count) == (scope.identity, str(tmp_path / "moved" / ".git"), 1)
    assert [row.id for row in memory.index(memory.scope(str(tmp_path / "moved")))] == [number]
    for place, said in ((str(repository.path), "same project"), ("/never/seen", "nothing is remembered")):
        with pytest.raises(InputError, match=said):
            relocate(memory.connection, place, str(tmp_path / "moved"))
    with pytest.raises(InputError, match="is no project"):
        relocate(memory.connection, str(repository.path), "/")


def test_opening_and_reading_need_the_standard_library_alone(repository: Repository) -> None:
    code = (
        "import sys; from token_saver_memory.memory import open_memory\n"
        f"m = open_memory(); s = m.scope({str(repository.path)!r}); m.search(s, 'a b'); m.index(s)\n"
        "print([n for n in ('sqlite_utils', 'numpy', 'tree_sitter', 'rich', 'msgspec', 'pluggy') if n in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_a_project_that_cannot_be_registered_still_reads(memory: Memory, make_repository: Callable[[str], Repository]) -> None:
    shared = memory.save(Draft(None, "note", "Known everywhere", is_global=True), actor=AGENT).item_id
    folder = str(make_repository("beta").path)
    with open_memory(timeout=0.05) as hasty:
        with memory.writing(AGENT):
            scope = hasty.scope(folder)
            assert scope is not None and scope.project_id == 0
            assert [row.id for row in hasty.index(scope)] == [shared]
        assert hasty.save(Draft(scope, "note", "Written once it can be"), actor=AGENT).accepted
        assert len(memory.index(memory.scope(folder))) == 2


_FORBIDDEN = re.compile(
    r"(?:setattr|patch)\([^)\n]*(?:signature|likeness|near|equal|similar|embed|git|score|passes|symbols_of|verdict|decide)",
    re.IGNORECASE,
)


def test_no_test_replaces_what_decides() -> None:
    found = [path.name for path in Path(__file__).parent.glob("*.py") if _FORBIDDEN.search(path.read_text())]
    assert found == []
    assert _FORBIDDEN.search("monkeypatch.set" + "attr(signature, 'likeness', lambda a, b: 0.93)")
