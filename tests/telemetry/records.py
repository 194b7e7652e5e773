"""Records for tests, and the settings that they are taken in with."""

from __future__ import annotations

import pathlib
import time
from typing import Any

from token_saver.telemetry import spool
from token_saver.telemetry.tracker import Tracker

SETTINGS: dict[str, Any] = {"chars_per_token": 4.0, "db_prune_days": 90, "telemetry_enabled": True}
SECOND = 1_000_000_000


def run(at: float = 0.0, kind: str = spool.RUN, **fields: Any) -> spool.Record:
    """Return a record *at* seconds from now, of ``pytest`` in ``/project`` unless said otherwise."""
    given = {"session": "one", "folder": "/project", "mode": "wrap", "processor": "pytest", "command": "pytest", "check": 7}
    return spool.Record(kind, time.time_ns() + int(at * SECOND), **{**given, "status": 0, **fields})


def append(folder: pathlib.Path, *records: spool.Record) -> None:
    """Put *records* into the spool in *folder*."""
    writer = spool.SpoolWriter(str(folder))
    for record in records:
        writer.record_saving(record)


def tracker(folder: pathlib.Path, **settings: Any) -> Tracker:
    """Return the statistics in *folder*."""
    return Tracker(str(folder), {**SETTINGS, **settings})


def rows(folder: pathlib.Path, query: str) -> list[tuple[Any, ...]]:
    """Return what *query* finds in the statistics in *folder*."""
    with tracker(folder).opened() as connection:
        return connection.execute(query).fetchall()
