"""From records to rows: each one once, with its arithmetic done, and the sums of its day and its session with it."""

from __future__ import annotations

import os
import time
from functools import lru_cache
from typing import TYPE_CHECKING

from token_saver.telemetry import arithmetic, prices, spool

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping
    from typing import Any

    from token_saver.telemetry.spool import Record

SUMS = (
    *("runs", "shortened", "original", "shown", "recalls", "gross", "host_cut", "repeats", "escapes"),
    *("original_tokens", "shown_tokens", "millis"),
)
"""What is summed up, in ``daily`` and in ``sessions``."""
_SECOND = 1_000_000_000
_DEEPEST = 40


class _Intake:
    """One transaction's worth of records."""

    def __init__(self, connection: sqlite3.Connection, settings: Mapping[str, Any]) -> None:
        self._connection = connection
        self._per_token = float(settings["chars_per_token"])
        self._limits = prices.limits()
        self._ids: dict[tuple[str, ...], int] = {}
        self._days: dict[tuple[Any, ...], list[int]] = {}
        self._sessions: dict[int, list[int]] = {}

    def add(self, records: list[Record]) -> int:
        added = 0
        last = self._before(records)
        for record in sorted(records, key=lambda each: (each.at, each.pid)):
            if record.kind == spool.RUN:
                added += self._run(record, last)
            elif record.kind == spool.MISMATCH:
                added += self._mismatch(record)
            elif record.kind in (spool.RECALL, spool.ESCAPE):
                added += self._return(record, last)
        self._write_sums()
        return added

    def _before(self, records: list[Record]) -> dict[tuple[Any, ...], arithmetic.Look]:
        """Return the last look of each command before *records*, as far back as it may matter."""
        if not records:
            return {}
        since = min(record.at for record in records) - int(arithmetic.SOON * _SECOND)
        rows = self._connection.execute(
            "SELECT session, project, command, line, at, status, original, shown, more FROM savings WHERE at >= ? ORDER BY at",
            (since,),
        )
        return {row[:4]: arithmetic.Look(row[4] / _SECOND, row[5], row[6], row[7], bool(row[8])) for row in rows}

    def _run(self, record: Record, last: dict[tuple[Any, ...], arithmetic.Look]) -> int:
        session, project = self._session(record), self._project(record.folder)
        key = (session, project, record.command, record.check)
        now = arithmetic.Look(record.at / _SECOND, record.status, record.original, record.shown, bool(record.more))
        saved = arithmetic.saved(record.original, record.shown, self._limits.get(record.host, 0), last.get(key), now)
        tokens = [arithmetic.tokens(size, self._per_token) for size in (record.original, record.shown)]
        counted = (saved.gross, saved.host_cut, saved.repeats, saved.escapes, *tokens, record.millis)
        what = (record.mode, record.processor, record.command, record.check, record.more, record.status)
        sizes = (record.original, record.shown, record.redacted)
        row = (record.at, record.pid, day(record.at), session, project, *what, *sizes, *counted)
        if not self._insert("savings", _SAVINGS, row):
            return 0
        last[key] = now
        self._count(record, session, project, (1, int(saved.gross > 0), record.original, record.shown, 0, *counted))
        return 1

    def _mismatch(self, record: Record) -> int:
        row = (*self._when_and_where(record), record.processor, record.command, record.original)
        return self._insert("mismatches", _MISMATCHES, row)

    def _return(self, record: Record, last: Mapping[tuple[Any, ...], arithmetic.Look]) -> int:
        """Add what was brought back, or that a command was run once more without us, which gives back all of its saving."""
        when = self._when_and_where(record)
        session, project = when[3:]
        characters = record.shown
        if record.kind == spool.ESCAPE:
            before = last.get((session, project, record.command, record.check))
            soon = before is not None and 0 <= record.at / _SECOND - before.at <= arithmetic.SOON
            characters = max(0, arithmetic.gross(before.original, before.shown)) if before is not None and soon else 0
        if not self._insert("recalls", _RECALLS, (*when, record.kind, record.processor, record.command, characters)):
            return 0
        recalled = (characters, 0) if record.kind == spool.RECALL else (0, characters)
        self._count(record, int(session), int(project), (0, 0, 0, 0, recalled[0], 0, 0, 0, recalled[1], 0, 0, 0))
        return 1

    def _when_and_where(self, record: Record) -> tuple[Any, ...]:
        return record.at, record.pid, day(record.at), self._session(record), self._project(record.folder)

    def _insert(self, table: str, columns: str, row: tuple[Any, ...]) -> int:
        marks = ", ".join("?" * len(row))
        return self._connection.execute(f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})", row).rowcount

    def _session(self, record: Record) -> int:
        key = ("session", record.session, record.host)
        if key not in self._ids:
            self._connection.execute(_NEW_SESSION, (record.session, record.host, record.at, record.at))
            found = self._connection.execute("SELECT id FROM sessions WHERE name = ? AND host = ?", key[1:]).fetchone()
            self._ids[key] = found[0]
        return self._ids[key]

    def _project(self, folder: str) -> int:
        key = ("project", root(folder))
        if key not in self._ids:
            self._connection.execute("INSERT OR IGNORE INTO projects (path) VALUES (?)", key[1:])
            self._ids[key] = self._connection.execute("SELECT id FROM projects WHERE path = ?", key[1:]).fetchone()[0]
        return self._ids[key]

    def _count(self, record: Record, session: int, project: int, values: Iterable[int]) -> None:
        numbers = list(values)
        key = (day(record.at), project, record.host, record.processor, record.command)
        _sum_up(self._days, key, numbers)
        _sum_up(self._sessions, session, numbers)
        first_and_last = (record.at, record.at, session)
        self._connection.execute(
            "UPDATE sessions SET first_seen = min(first_seen, ?), last_seen = max(last_seen, ?) WHERE id = ?", first_and_last
        )

    def _write_sums(self) -> None:
        self._connection.executemany(_ADD_DAY, [(*key, *sums) for key, sums in self._days.items()])
        self._connection.executemany(_ADD_SESSION, [(*sums, session) for session, sums in self._sessions.items()])


_WHEN_AND_WHERE = "at, pid, day, session, project"
_COUNTED = "gross, host_cut, repeats, escapes, original_tokens, shown_tokens, millis"
_SAVINGS = f"{_WHEN_AND_WHERE}, mode, processor, command, line, more, status, original, shown, redacted, {_COUNTED}"
_MISMATCHES = f"{_WHEN_AND_WHERE}, processor, command, original"
_RECALLS = f"{_WHEN_AND_WHERE}, kind, processor, command, characters"
_NEW_SESSION = (
    f"INSERT OR IGNORE INTO sessions (name, host, first_seen, last_seen, {', '.join(SUMS)})"
    f" VALUES (?, ?, ?, ?, {', '.join('0' * len(SUMS))})"
)
_ADD_DAY = (
    f"INSERT INTO daily (day, project, host, processor, command, {', '.join(SUMS)}) VALUES ({', '.join('?' * (5 + len(SUMS)))})"
    f" ON CONFLICT DO UPDATE SET {', '.join(f'{name} = {name} + excluded.{name}' for name in SUMS)}"
)
_ADD_SESSION = f"UPDATE sessions SET {', '.join(f'{name} = {name} + ?' for name in SUMS)} WHERE id = ?"


def add(connection: sqlite3.Connection, records: list[Record], settings: Mapping[str, Any]) -> int:
    """Add *records* in the transaction that is open, and return how many of them were new; raises sqlite3.Error."""
    return _Intake(connection, settings).add(records)


def day(at: int) -> str:
    """Return the date that the clock on the wall showed at that time (``2026-12-01``)."""
    return _date(at // (_SECOND * 900))


@lru_cache(maxsize=4096)
def _date(quarter: int) -> str:
    # No time zone is off by less than a quarter of an hour.
    try:
        return time.strftime("%Y-%m-%d", time.localtime(quarter * 900))
    except (OverflowError, ValueError, OSError):
        return "1970-01-01"


@lru_cache(maxsize=1024)
def root(folder: str) -> str:
    """Return the project that *folder* belongs to: the next folder upwards with a ``.git`` in it, else *folder* itself."""
    here = folder
    for _ in range(_DEEPEST):
        if os.path.lexists(os.path.join(here, ".git")):
            return here
        above = os.path.dirname(here)
        if above == here:
            break
        here = above
    return folder


def _sum_up(table: dict[Any, list[int]], key: object, numbers: list[int]) -> None:
    sums = table.setdefault(key, [0] * len(numbers))
    for position, number in enumerate(numbers):
        sums[position] += number
