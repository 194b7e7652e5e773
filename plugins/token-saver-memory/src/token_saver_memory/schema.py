"""Opens the database of the memory and brings its schema to the one this release knows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from token_saver import store
from token_saver.errors import StoreError

if TYPE_CHECKING:
    import sqlite3

VERSION = 2
FILE_NAME = "memory.db"

NOW = "((julianday('now') - 2440587.5) * 86400.0)"
_LOGGED = (
    "uid", "project_id", "is_global", "type", "subject_key", "title", "body", "why", "how", "symbol", "file_path", "lang",
    "provenance", "importance", "decay_immune", "review", "valid_from", "valid_to", "recorded_at", "retired_at", "retired_why",
    "superseded_by", "expires_at", "text_hash", "anchor_hash", "anchor_commit", "verdict", "verdict_detail", "verified_at",
)  # fmt: skip


def default_path() -> str:
    """Return where the memory is kept."""
    return os.path.join(store.data_folder(), FILE_NAME)


def connect(path: str, *, timeout: float, read_only: bool = False) -> sqlite3.Connection:
    """Open the memory at *path*, make it or bring it up to date; raises StoreError when that cannot be done.

    A file of a newer release is opened for reading only; who writes is told so.
    """
    if read_only and os.path.exists(path):
        return store.connect_read_only(path, timeout=timeout)
    connection = store.connect(path, timeout=timeout)
    try:
        # The log's triggers build JSON, which counts as unsafe in a schema from elsewhere; this file is the user's own.
        connection.execute("PRAGMA trusted_schema = ON")
        version = version_of(connection)
        if version > VERSION:
            connection.execute("PRAGMA query_only = ON")
        elif version == 0:
            create(connection)
        elif version < VERSION:
            from token_saver_memory.migrations import migrate

            migrate(connection, path)
    except Exception:
        connection.close()
        raise
    return connection


def version_of(connection: sqlite3.Connection) -> int:
    """Return the version of the schema that the file has; 0 for a new one."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def create(connection: sqlite3.Connection) -> None:
    """Lay down the whole schema in one transaction, unless another process just did."""
    import sqlite3

    try:
        connection.execute("BEGIN IMMEDIATE")
        if version_of(connection) == 0:
            run_script(connection, text_of("schema.sql"))
            lay_triggers(connection)
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise StoreError(f"the memory cannot be made: {error}") from error


def lay_triggers(connection: sqlite3.Connection) -> None:
    """Replace the views and triggers by those of this release."""
    drop_triggers(connection)
    row = {
        name: "json_object(" + ", ".join(f"'{column}', {name}.{column}" for column in _LOGGED) + ")" for name in ("old", "new")
    }
    run_script(connection, text_of("triggers.sql").format(now=NOW, **row))


def drop_triggers(connection: sqlite3.Connection) -> None:
    """Take the views and triggers away."""
    found = connection.execute("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchall()
    for kind, name in found:
        connection.execute(f'DROP {kind} "{name}"')


def run_script(connection: sqlite3.Connection, script: str) -> None:
    """Run the statements of *script* inside the open transaction (``executescript`` would end it)."""
    import sqlite3

    statement = ""
    for line in script.splitlines(keepends=True):
        if not statement and (line.startswith("--") or not line.strip()):
            continue
        statement += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""


def text_of(name: str) -> str:
    """Return a data file of this package."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
