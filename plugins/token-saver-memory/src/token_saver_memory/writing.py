"""One short transaction with the writer's name in it, which the log's triggers read."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from token_saver.errors import StoreError
from token_saver_memory.text.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def transaction(connection: sqlite3.Connection, actor: str, session: str = "", reason: str = "") -> Iterator[sqlite3.Connection]:
    """Open a transaction for *actor*; it is committed at the end and rolled back when anything is raised.

    Raises StoreError when the database is busy for longer than its patience, cannot be written, or was written by a newer
    release. Transactions do not nest: inside of one, this joins it and keeps its writer.
    """
    if connection.in_transaction:
        yield connection
        return
    _begin(connection)
    try:
        connection.execute("UPDATE write_ctx SET actor = ?, session_id = ?, reason = ?", (actor, clean(session), clean(reason)))
        yield connection
        connection.execute("UPDATE write_ctx SET actor = 'unknown', session_id = '', reason = ''")
        connection.execute("COMMIT")
    except BaseException as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if isinstance(error, sqlite3.Error):
            raise StoreError(f"the memory could not be written: {error}") from error
        raise


def _begin(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA query_only").fetchone()[0]:
        raise StoreError("the memory was written by a newer token-saver-memory; update it, until then it can only be read")
    for last in (False, True):
        try:
            connection.execute("BEGIN IMMEDIATE")
            return
        except sqlite3.OperationalError as error:
            if last or "locked" not in str(error):
                raise StoreError(f"the memory cannot be written: {error}") from error
