"""The database of what was saved: takes the spool in, keeps the sums, forgets what is old, sets a damaged file aside.

Records come in from the spool, in one transaction, at the latest when somebody asks. A spool is first renamed, so that from
then on it belongs to readers; a record that reaches both the old and the new one is the same record and counts once. Two
readers at once wait for each other and find nothing left to do.
"""

from __future__ import annotations

import glob
import os
import sqlite3
import time
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from token_saver import store
from token_saver.errors import StoreError
from token_saver.telemetry import intake, retention, spool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from token_saver.telemetry.spool import Record

FILE = "statistics.sqlite3"
VERSION = 1
_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_SIDECARS = ("", "-wal", "-shm")
_SLACK = 1 << 20


class Tracker:
    """The statistics in *folder*. Methods raise StoreError when the file cannot be used for now."""

    def __init__(self, folder: str, settings: Mapping[str, Any], *, patience: float = store.PATIENCE) -> None:
        self.path = f"{folder}/{FILE}"
        self.set_aside = ""
        self._folder = folder
        self._settings = settings
        self._patience = patience

    def fold(self) -> int:
        """Take in what the spool holds, forget what is too old, and return how many records were new."""
        if not os.path.lexists(self.path) and not _spools(self._folder):
            return 0
        with self.opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            paths = _claimed(self._folder)
            records = [record for path in paths for record in _read(path)]
            added = intake.add(connection, records, self._settings)
            retention.apply(connection, self._settings)
            connection.execute("COMMIT")
        for path in paths:
            _remove(path)
        return added

    def add(self, records: list[Record]) -> int:
        """Take in *records*, in one transaction, and return how many of them were new."""
        with self.opened() as connection:
            connection.execute("BEGIN IMMEDIATE")
            added = intake.add(connection, records, self._settings)
            connection.execute("COMMIT")
        return added

    def clear(self) -> None:
        """Delete all that was recorded, also from the log of the database and from the spool."""
        for path in _spools(self._folder):
            _remove(path)
        if os.path.lexists(self.path):
            with self.opened() as connection:
                retention.clear(connection)

    @contextmanager
    def opened(self) -> Iterator[sqlite3.Connection]:
        """Open the database, of the newest schema; a damaged file is moved beside the new one, and ``set_aside`` names it."""
        connection = self._sound()
        try:
            with closing(connection):
                yield connection
        except sqlite3.Error as error:
            if _is_damage(error):
                self._move_aside()
            raise StoreError(f"{self.path} cannot be used: {error}") from error

    def _sound(self) -> sqlite3.Connection:
        try:
            return self._connected()
        except (StoreError, sqlite3.Error) as error:
            cause = error if isinstance(error, sqlite3.Error) else error.__cause__
            if _is_damage(cause):
                self._move_aside()
                return self._connected()
            raise error if isinstance(error, StoreError) else StoreError(f"{self.path} cannot be used: {error}") from error

    def _connected(self) -> sqlite3.Connection:
        connection = store.connect(self.path, timeout=self._patience)
        try:
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise StoreError(f"{self.path} was written by a newer version of Token-Saver")
            if version < VERSION:
                from token_saver.telemetry import schema

                schema.bring_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _move_aside(self) -> None:
        stamp = time.strftime("%Y%m%dT%H%M%S")
        self.set_aside = f"{self.path}.damaged-{stamp}-{os.getpid()}"
        for end in _SIDECARS:
            if os.path.lexists(self.path + end):
                os.rename(self.path + end, self.set_aside + end)


def take_in() -> None:
    """Take the spool in, unless another process is at it; for a process of its own, which tells nobody of its failure."""
    from token_saver.settings import load

    try:
        Tracker(store.data_folder(), load().as_dict(), patience=0).fold()
    except StoreError:
        pass


class DatabaseWriter:
    """A writer that keeps its records until it is closed and adds them to the database then, in one transaction."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker
        self._records: list[Record] = []

    def record_saving(self, record: Record, /) -> None:
        """Take what a command saved."""
        self._records.append(record)

    def record_mismatch(self, record: Record, /) -> None:
        """Take that a processor broke its contract."""
        self._records.append(record)

    def close(self) -> None:
        """Add them; raises StoreError."""
        if self._records:
            self._tracker.add(self._records)


def parsed(raw: bytes) -> Iterator[Record]:
    """Yield the records in the content of a spool; what is torn or of another format is left out."""
    for part in raw.decode("utf-8", "replace").split(spool.BEGIN)[1:]:
        line, end, _ = part.partition(spool.END)
        fields = line.split("\t")
        if end and len(fields) == len(spool.FIELDS):
            record = _record(dict(zip(spool.FIELDS, fields, strict=True)))
            if record is not None:
                yield record


def _record(fields: dict[str, str]) -> Record | None:
    try:
        values = {
            name: (None if name == "status" and not text else int(text)) if name in spool.NUMBERS else text
            for name, text in fields.items()
        }
    except ValueError:
        return None
    record = spool.Record.__new__(spool.Record)
    for name, value in values.items():
        setattr(record, name, value)
    return record


def _spools(folder: str) -> list[str]:
    return sorted(glob.glob(f"{glob.escape(folder)}/*{spool.FILE}"))


def _claimed(folder: str) -> list[str]:
    """Rename the spool, so that no writer finds it any more, and return all that are to be read."""
    try:
        os.rename(f"{folder}/{spool.FILE}", f"{folder}/{time.time_ns()}-{os.getpid()}.{spool.FILE}")
    except FileNotFoundError:
        pass
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
    return [path for path in _spools(folder) if not path.endswith(f"/{spool.FILE}")]


def _read(path: str) -> list[Record]:
    """Return the records of a spool, up to its bound; nothing where it is no file of ours."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return []
    with open(descriptor, "rb") as file:
        if os.fstat(descriptor).st_uid != os.geteuid():
            return []
        return list(parsed(file.read(spool.MOST + _SLACK)))


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        pass


def _is_damage(error: BaseException | None) -> bool:
    return isinstance(error, sqlite3.Error) and getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
