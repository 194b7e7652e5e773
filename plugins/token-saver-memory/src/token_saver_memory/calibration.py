"""The floor of searches, measured on the rows there are: a record of how, and of what it lets through."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver_memory import searching
from token_saver_memory.schema import text_of
from token_saver_memory.values import SYSTEM

if TYPE_CHECKING:
    import sqlite3

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Scope

FEWEST_ROWS = 50
MOST_ROWS = 500
MOST_LEAKED = 0.05
CANDIDATES = (0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)


class Record(NamedTuple):
    """A calibration: of which way to search, when, on how many rows and questions, the floor, what it keeps and leaks."""

    model: str
    at: float
    rows: int
    queries: int
    floor: float
    kept: float
    leaked: float


def calibrate(memory: Memory, scope: Scope) -> Record:
    """Choose the lowest floor that leaks at most 5 of 100 unrelated questions, store its record and return it.

    Raises InputError when there are too few rows to tell; the floor that was shipped holds then.
    """
    rows = memory.index(scope, MOST_ROWS)
    if len(rows) < FEWEST_ROWS:
        raise InputError(
            f"{len(rows)} rows are too few to measure by, {FEWEST_ROWS} are needed; the floor stays {searching.FLOOR_SHARE}"
        )
    questions = [line.split("\t")[1] for line in text_of("unrelated.tsv").splitlines()]
    for floor in CANDIDATES:
        leaked = sum(bool(searching.search(memory.connection, scope, text, 1, floor=floor)) for text in questions) / len(
            questions
        )
        if leaked <= MOST_LEAKED:
            break
    found = sum(
        row.id in [hit.id for hit in searching.search(memory.connection, scope, row.title, 5, floor=floor)] for row in rows
    )
    record = Record(searching.MODEL, time.time(), len(rows), len(questions), floor, found / len(rows), leaked)
    with memory.writing(SYSTEM, reason="calibrated") as connection:
        connection.execute("INSERT OR REPLACE INTO calibration VALUES (?, ?, ?, ?, ?, ?, ?)", record)
    return record


def record_of(connection: sqlite3.Connection) -> Record | None:
    """Return the record of the way to search that this release has; one of another way does not count."""
    found = connection.execute("SELECT * FROM calibration WHERE model = ?", (searching.MODEL,)).fetchone()
    return Record(*found) if found else None
