"""The tables of the statistics, in steps that sqlite-utils applies in order and remembers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlite_utils.db import Database
from sqlite_utils.migrations import Migrations

if TYPE_CHECKING:
    import sqlite3

steps = Migrations("telemetry")


def _numbers(names: str) -> str:
    return ", ".join(f"{name} INTEGER NOT NULL" for name in names.split())


_COUNTED = _numbers("gross host_cut repeats escapes original_tokens shown_tokens millis")
_SUMS = _numbers("runs shortened original shown recalls") + ", " + _COUNTED
_TEXTS = "processor TEXT NOT NULL, command TEXT NOT NULL"
_WHERE = "session INTEGER NOT NULL REFERENCES sessions, project INTEGER NOT NULL REFERENCES projects"
_ROW = f"id INTEGER PRIMARY KEY, {_numbers('at pid')}, day TEXT NOT NULL, {_WHERE}, {_TEXTS}"
_TABLES = {
    "projects": "id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE",
    "sessions": f"id INTEGER PRIMARY KEY, name TEXT, host TEXT, {_numbers('first_seen last_seen')}, {_SUMS}, UNIQUE (name, host)",
    "savings": f"{_ROW}, mode TEXT NOT NULL, status INTEGER, {_numbers('line more original shown redacted')}, {_COUNTED}",
    "mismatches": f"{_ROW}, original INTEGER NOT NULL",
    "recalls": f"{_ROW}, kind TEXT NOT NULL, characters INTEGER NOT NULL",
}
_DAILY = "day TEXT NOT NULL, project INTEGER NOT NULL, host TEXT NOT NULL"
_FIRST = (
    *(f"CREATE TABLE {name} ({columns})" for name, columns in _TABLES.items()),
    f"CREATE TABLE daily ({_DAILY}, {_TEXTS}, {_SUMS}, PRIMARY KEY (day, project, host, processor, command)) WITHOUT ROWID",
    "CREATE TABLE upkeep (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    *(f"CREATE UNIQUE INDEX {table}_by_time ON {table} (at, pid)" for table in ("savings", "mismatches")),
    "CREATE UNIQUE INDEX recalls_by_time ON recalls (at, pid, kind)",
)


@steps()
def first_tables(db: Database) -> None:
    """Make the tables; ``daily`` and ``sessions`` hold sums of ``savings`` and ``recalls`` that are kept with them."""
    for statement in _FIRST:
        db.execute(statement)


VERSION = 1
"""How many steps there are; a database says in ``user_version`` how many it has behind it."""


def bring_up(connection: sqlite3.Connection) -> None:
    """Apply what is pending, as one process among many; raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        steps.apply(Database(connection))
        connection.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
