"""How long records are kept: by age and by size, looked at once a day, and everything of a day goes together."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from token_saver.telemetry.intake import day

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
    from typing import Any

MOST_BYTES = 512 << 20
"""Bytes that the database may have; beyond them the oldest days go."""
_ROWS = ("savings", "mismatches", "recalls", "daily")
_DAY = 86_400
_AHEAD = 2


def apply(
    connection: sqlite3.Connection, settings: Mapping[str, Any], *, now: float | None = None, most: int = MOST_BYTES
) -> bool:
    """Delete what is too old or too much, in the transaction that is open; at most once a day. Tells whether it looked.

    What lies days ahead was recorded by a clock that went wrong, and would otherwise stay for ever.
    """
    now = time.time() if now is None else now
    today = _date(now)
    found = connection.execute("SELECT value FROM upkeep WHERE name = 'retention'").fetchone()
    if found is not None and found[0] == today:
        return False
    connection.execute("INSERT OR REPLACE INTO upkeep VALUES ('retention', ?)", (today,))
    oldest = _date(now - int(settings["db_prune_days"]) * _DAY)
    newest = _date(now + _AHEAD * _DAY)
    doomed = connection.execute("SELECT DISTINCT day FROM daily WHERE day < ? OR day > ?", (oldest, newest)).fetchall()
    doomed += connection.execute("SELECT DISTINCT day FROM mismatches WHERE day < ? OR day > ?", (oldest, newest)).fetchall()
    _forget(connection, sorted({row[0] for row in doomed}))
    while _size(connection) > most:
        days = connection.execute("SELECT min(day), max(day) FROM daily").fetchone()
        if days[0] is None or days[0] == days[1]:
            break
        _forget(connection, [days[0]])
    return True


def clear(connection: sqlite3.Connection) -> None:
    """Delete everything, from the log of the database too; raises sqlite3.Error."""
    connection.execute("BEGIN IMMEDIATE")
    for table in (*_ROWS, "sessions", "projects"):
        connection.execute(f"DELETE FROM {table}")
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _forget(connection: sqlite3.Connection, days: list[str]) -> None:
    if not days:
        return
    marks = ", ".join("?" * len(days))
    for table in _ROWS:
        connection.execute(f"DELETE FROM {table} WHERE day IN ({marks})", days)
    for table in ("sessions", "projects"):
        kind = table.removesuffix("s")
        used = " UNION ".join(f"SELECT {kind} FROM {rows}" for rows in ("savings", "mismatches", "recalls"))
        connection.execute(f"DELETE FROM {table} WHERE id NOT IN ({used})")


def _size(connection: sqlite3.Connection) -> int:
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)


def _date(at: float) -> str:
    return day(int(at * 1_000_000_000))
