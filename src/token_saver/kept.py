"""Records that are kept for a while: in a private file, bounded by age, count and bytes, in the order of their insertion.

What is too old, dated in the future (the clock went back) or beyond the bounds is deleted at every access, before anything
is read. The newest record is the one that was inserted last, whatever the clock says. A file of an unknown schema or a
damaged one is refused with StoreError and stays as it is. Whoever adds a record has masked it.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from token_saver import store
from token_saver.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SCHEMA = 1
SKEW = 5.0
"""Seconds by which a record may lie in the future: clocks are adjusted by less while processes run side by side."""
PATIENCE = 1.0
"""Seconds to wait for another process: a command's output waits too."""

_TABLE = (
    "CREATE TABLE kept (number INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, made REAL NOT NULL,"
    " about TEXT NOT NULL, payload BLOB NOT NULL)"
)
_INDEX = "CREATE INDEX kept_by_scope ON kept (scope, number)"
_COLUMNS = "number, scope, made, about, payload"


class Bounds(NamedTuple):
    """How much is kept: seconds of age, records, bytes of all payloads (0: no bound), and bytes of one payload."""

    age: float
    records: int
    total: int = 0
    one: int = 1 << 20


class Record(NamedTuple):
    """One record. ``number`` is never given twice; ``about`` describes the payload; ``made`` is in seconds since 1970."""

    number: int
    scope: str
    made: float
    about: str
    payload: bytes


class Kept:
    """The records in the file *path*. Every method raises StoreError when the file cannot be used."""

    def __init__(self, path: str, bounds: Bounds, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self._bounds = bounds
        self._clock = clock

    def add(self, scope: str, payload: bytes, about: str = "") -> int:
        """Insert a record and return its number, by which it can be read from now on."""
        return self.exchange(scope, payload, about)[1]

    def exchange(self, scope: str, payload: bytes, about: str = "") -> tuple[Record | None, int]:
        """Insert a record; return the newest one of *scope* before it, and its number, in one transaction."""
        if len(payload) > self._bounds.one:
            raise StoreError(f"{len(payload)} bytes are more than the {self._bounds.one} that one record may have")
        with self._transaction() as connection:
            before = self._newest(connection, scope)
            values = (scope, self._clock(), about, payload)
            cursor = connection.execute("INSERT INTO kept (scope, made, about, payload) VALUES (?, ?, ?, ?)", values)
            number = int(cursor.lastrowid or 0)
            self._prune(connection)
            if connection.execute("SELECT 1 FROM kept WHERE number = ?", (number,)).fetchone() is None:
                raise StoreError(f"{self.path} has no room for another record")
        return before, number

    def latest(self, scope: str) -> Record | None:
        """Return the newest record of *scope*."""
        with self._transaction() as connection:
            return self._newest(connection, scope)

    def read(self, number: int) -> Record | None:
        """Return the record of that number, None when there is none any more."""
        with self._transaction() as connection:
            row = connection.execute(f"SELECT {_COLUMNS} FROM kept WHERE number = ?", (number,)).fetchone()
        return None if row is None else _record(row)

    def records(self) -> list[Record]:
        """Return all records, the newest first."""
        with self._transaction() as connection:
            rows = connection.execute(f"SELECT {_COLUMNS} FROM kept ORDER BY number DESC").fetchall()
        return [_record(row) for row in rows]

    def forget(self, scope: str) -> None:
        """Delete the records of *scope*; where there is no file, none is made."""
        if not os.path.lexists(self.path):
            return
        with self._transaction() as connection:
            connection.execute("DELETE FROM kept WHERE scope = ?", (scope,))

    def clear(self) -> int:
        """Delete all records, from the log of the database too, and return how many there were."""
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            count = connection.execute("DELETE FROM kept").rowcount
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return count

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                self._prune(connection)
                yield connection
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            connection.execute("COMMIT")

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(store.connect(self.path, timeout=PATIENCE)) as connection:
                self._make_table(connection)
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"{self.path} cannot be used: {error}") from error

    def _make_table(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == SCHEMA:
            return
        connection.execute("BEGIN IMMEDIATE")
        version = self._version(connection)
        if version != SCHEMA:
            if version or connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                connection.execute("ROLLBACK")
                raise StoreError(f"{self.path} has the schema {version}, this version reads {SCHEMA}; move it away")
            connection.execute(_TABLE)
            connection.execute(_INDEX)
            connection.execute(f"PRAGMA user_version = {SCHEMA}")
        connection.execute("COMMIT")

    def _version(self, connection: sqlite3.Connection) -> int:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])

    def _newest(self, connection: sqlite3.Connection, scope: str) -> Record | None:
        query = f"SELECT {_COLUMNS} FROM kept WHERE scope = ? ORDER BY number DESC LIMIT 1"
        row = connection.execute(query, (scope,)).fetchone()
        return None if row is None else _record(row)

    def _prune(self, connection: sqlite3.Connection) -> None:
        """Delete what is beyond the bounds. The clock is read inside of the lock, so that no newer record lies ahead of it."""
        now = self._clock()
        connection.execute("DELETE FROM kept WHERE made < ? OR made > ?", (now - self._bounds.age, now + SKEW))
        connection.execute(
            "DELETE FROM kept WHERE number <= (SELECT number FROM kept ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (self._bounds.records,),
        )
        if self._bounds.total:
            connection.execute(
                "DELETE FROM kept WHERE number <= (SELECT max(number) FROM (SELECT number, sum(length(payload))"
                " OVER (ORDER BY number DESC) AS bytes FROM kept) WHERE bytes > ?)",
                (self._bounds.total,),
            )


def _record(row: tuple[int, str, float, str, bytes]) -> Record:
    try:
        number, scope, made, about, payload = row
        return Record(int(number), str(scope), float(made), str(about), bytes(payload))
    except (TypeError, ValueError) as error:
        raise StoreError("a record is damaged") from error
