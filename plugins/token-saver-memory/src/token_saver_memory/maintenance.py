"""Checks and repairs of the file, erasing for good, and a repository that moved."""

from __future__ import annotations

import glob
import os
import sqlite3
import time
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError, StoreError
from token_saver_memory import schema, scope
from token_saver_memory.reviewing import lay_tombstone, purged, target
from token_saver_memory.values import PERSON
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    from collections.abc import Iterator

_INDEXES = ("item_fts", "rollup_fts")


class Finding(NamedTuple):
    """One thing that was looked at: whether it is well, and what was found."""

    name: str
    well: bool
    detail: str


def examine(connection: sqlite3.Connection, path: str) -> Iterator[Finding]:
    """Yield what is so of the file: its schema, its pages, its references, its indexes of words, its rights."""
    version = schema.version_of(connection)
    yield Finding(
        "schema", version == schema.VERSION, f"version {version}" + ("" if version <= schema.VERSION else ", of a newer release")
    )
    pages = [row[0] for row in connection.execute("PRAGMA quick_check(5)")]
    yield Finding("pages", pages == ["ok"], "; ".join(pages))
    strays = connection.execute("PRAGMA foreign_key_check").fetchall()
    yield Finding("references", not strays, f"{len(strays)} that lead nowhere")
    for name in _INDEXES:
        problem = _index_problem(connection, name)
        yield Finding(name, not problem, problem or "in step")
    mode = os.stat(path).st_mode & 0o777
    yield Finding("rights", mode == 0o600, f"{mode:o}")


def _index_problem(connection: sqlite3.Connection, name: str) -> str:
    try:
        connection.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
    except sqlite3.Error as error:
        return str(error)
    return ""


def repair(connection: sqlite3.Connection) -> None:
    """Build the indexes of words and all other indexes anew from the rows."""
    with transaction(connection, PERSON, reason="repair"):
        for name in _INDEXES:
            connection.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
        connection.execute("REINDEX")


def purge(connection: sqlite3.Connection, path: str, number: int, session: str, reason: str) -> int:
    """Erase the text of row *number* from the file, its log and the copies beside it; return how many copies were deleted.

    A tombstone of hashes stays, and one row of the log says that it was purged. The log is append-only, so its triggers are
    laid down for the length of this transaction. Raises InputError when there is no such row or it was purged before.
    """
    if purged(connection, number):
        raise InputError(f"#{number} was purged before")
    row = target(connection, number)
    try:
        connection.execute("PRAGMA secure_delete = ON")
        with transaction(connection, PERSON, session, reason):
            if not connection.execute("SELECT 1 FROM tombstone WHERE item_id = ? AND revoked_at IS NULL", (number,)).fetchone():
                lay_tombstone(connection, row, "purged")
            schema.drop_triggers(connection)
            _erase(connection, number, session)
            schema.lay_triggers(connection)
            for name in _INDEXES:
                connection.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise StoreError(f"#{number} could not be purged wholly: {error}") from error
    copies = glob.glob(glob.escape(path) + ".v*.bak")
    for copy in copies:
        os.unlink(copy)
    return len(copies)


def _erase(connection: sqlite3.Connection, number: int, session: str) -> None:
    now = time.time()
    connection.execute(
        "UPDATE item SET title = '(purged)', body = '', why = '', how = '', symbol = NULL, file_path = NULL, subject_key = NULL, "
        "split_ids = '', verdict_detail = '', anchor_hash = NULL, retired_at = coalesce(retired_at, ?), "
        "retired_why = coalesce(retired_why, 'forgotten') WHERE id = ?",
        (now, number),
    )
    for seq, before, after in connection.execute(
        "SELECT seq, before_json, after_json FROM mutation WHERE item_id = ?", (number,)
    ).fetchall():
        connection.execute(
            "UPDATE mutation SET before_json = ?, after_json = ?, reason = '' WHERE seq = ?", (_hash(before), _hash(after), seq)
        )
    connection.execute("UPDATE evidence SET detail = '' WHERE item_id = ?", (number,))
    connection.execute("UPDATE tombstone SET reason = 'purged' WHERE item_id = ?", (number,))
    connection.execute("UPDATE ledger SET detail = '' WHERE item_id = ?", (number,))
    connection.execute("DELETE FROM item_vector WHERE item_id = ?", (number,))
    connection.execute(
        "INSERT INTO mutation (item_id, op, actor, session_id, reason, at) VALUES (?, 'purge', ?, ?, '', ?)",
        (number, PERSON, session, now),
    )


def _hash(text: str | None) -> str | None:
    return None if text is None else "sha256:" + sha256(text.encode()).hexdigest()


def relocate(connection: sqlite3.Connection, old: str, new: str) -> tuple[str, str, int]:
    """Give the rows of the project that was at *old* to the one that is at *new*; return both identities and how many rows.

    *old* may be the identity, or the path of a checkout that was seen. Raises InputError when either is not known, both are
    the same, or a subject has a current value in both.
    """
    place = scope.resolve(new)
    if place is None:
        raise InputError(f"{new} is no project")
    full = os.path.abspath(old)
    found = connection.execute(
        "SELECT DISTINCT project.id, identity FROM project LEFT JOIN checkout ON checkout.project_id = project.id "
        "WHERE identity IN (?, ?, ?) OR path = ? ORDER BY project.id LIMIT 1",
        (old, full, os.path.join(full, ".git"), full),
    ).fetchone()
    if found is None:
        raise InputError(f"nothing is remembered of {old}")
    if found[1] == place.identity:
        raise InputError(f"{old} and {new} are the same project")
    with transaction(connection, PERSON, reason="the project moved"):
        moved = _move(connection, found[0], place)
    return found[1], place.identity, moved


def _move(connection: sqlite3.Connection, old: int, place: scope.Place) -> int:
    there = connection.execute("SELECT id FROM project WHERE identity = ?", (place.identity,)).fetchone()
    if there is None:
        connection.execute(
            "UPDATE project SET identity = ?, kind = ?, label = ? WHERE id = ?", (place.identity, place.kind, place.label, old)
        )
        count: int = connection.execute(
            "SELECT count(*) FROM item WHERE project_id = ? AND retired_at IS NULL", (old,)
        ).fetchone()[0]
        return count
    twice = connection.execute(
        "SELECT mine.id, other.id FROM item AS mine "
        "JOIN item AS other ON mine.type = other.type AND mine.subject_key = other.subject_key "
        "WHERE mine.project_id = ? AND other.project_id = ? AND mine.retired_at IS NULL AND other.retired_at IS NULL",
        (old, there[0]),
    ).fetchone()
    if twice:
        raise InputError(f"#{twice[0]} and #{twice[1]} are both current values of one subject; forget one of them first")
    for table in ("tombstone", "rollup", "session", "checkout", "list_event", "ledger"):
        connection.execute(f"UPDATE {table} SET project_id = ? WHERE project_id = ?", (there[0], old))
    live = "retired_at IS NULL AND project_id = ?"
    count = connection.execute(f"SELECT count(*) FROM item WHERE {live}", (old,)).fetchone()[0]
    connection.execute("UPDATE item SET project_id = ? WHERE project_id = ?", (there[0], old))
    # What was learnt about the order of lists in the new place is kept; two models cannot be added up.
    connection.execute("DELETE FROM bandit WHERE project_id = ?", (old,))
    connection.execute("DELETE FROM project WHERE id = ?", (old,))
    return count
