"""Brings the file of an older release to the schema of this one, after a copy of it was laid aside.

The steps run as migrations of sqlite-utils, all in one transaction with their records and the new version number: when one
fails, the file is as it was. sqlite-utils is imported here alone, and this module only when a file is behind,
since hooks have no time for it.
"""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from token_saver.errors import StoreError
from token_saver_memory import schema
from token_saver_memory.text.signature import signature

if TYPE_CHECKING:
    from collections.abc import Callable


def _to_version_2(connection: sqlite3.Connection) -> None:
    """Keep what the last place of a list was drawn from; find rows by their values; read rows in their order."""
    connection.execute("ALTER TABLE list_event ADD COLUMN rivals BLOB")
    connection.execute("ALTER TABLE item ADD COLUMN values_hash TEXT NOT NULL DEFAULT ''")
    connection.execute("ALTER TABLE item ADD COLUMN negated INTEGER NOT NULL DEFAULT 0 CHECK (negated IN (0, 1))")
    for number, title, body in connection.execute("SELECT id, title, body FROM item").fetchall():
        mark = signature(title, body)
        connection.execute(
            "UPDATE item SET values_hash = ?, negated = ? WHERE id = ?", (mark.values_hash, int(mark.negated), number)
        )
    connection.execute("DROP INDEX item_live")
    connection.execute("DROP INDEX item_global")
    order = "importance DESC, recorded_at DESC, id DESC"
    connection.execute(f"CREATE INDEX item_live ON item (project_id, type, {order}) WHERE retired_at IS NULL")
    connection.execute(f"CREATE INDEX item_global ON item (type, {order}) WHERE retired_at IS NULL AND is_global = 1")
    connection.execute("CREATE INDEX item_values ON item (project_id, type, values_hash, negated) WHERE retired_at IS NULL")


STEPS: dict[int, Callable[[sqlite3.Connection], None]] = {1: _to_version_2}
"""What leads from a version to the next one; ``schema.VERSION`` is one more than the last."""


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring the file at *path* up to date; raises StoreError and leaves it as it was when that fails."""
    back_up(connection, f"{path}.v{schema.version_of(connection)}.bak")
    try:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN IMMEDIATE")
        _apply(connection, schema.version_of(connection))
        connection.execute("COMMIT")
        connection.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise StoreError(f"{path} could not be brought up to date and is as it was: {error}") from error


def _apply(connection: sqlite3.Connection, version: int) -> None:
    """Take every step from *version* on; there is none when another process was faster."""
    steps = Migrations("memory")
    for number in sorted(STEPS):
        if number >= version:
            steps(name=f"version {number + 1}")(_step(STEPS[number]))
    schema.drop_triggers(connection)
    steps.apply(Database(connection, execute_plugins=False))
    schema.lay_triggers(connection)
    connection.execute("INSERT INTO item_fts (item_fts) VALUES ('rebuild')")
    connection.execute("INSERT INTO rollup_fts (rollup_fts) VALUES ('rebuild')")
    connection.execute(f"PRAGMA user_version = {schema.VERSION}")


def _step(change: Callable[[sqlite3.Connection], None]) -> Callable[[Database], None]:
    def step(database: Database) -> None:
        change(database.conn)

    return step


def back_up(connection: sqlite3.Connection, path: str) -> None:
    """Write a copy of the whole file to *path*, for the user alone; an older copy there gives way."""
    made = f"{path}.{os.getpid()}"
    os.close(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600))
    try:
        connection.execute("VACUUM INTO ?", (made,))
        os.replace(made, path)
    except (sqlite3.Error, OSError) as error:
        os.unlink(made)
        raise StoreError(f"no copy could be made at {path}, so nothing was changed: {error}") from error
