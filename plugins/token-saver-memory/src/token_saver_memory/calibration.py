"""The floors of searches, measured on the rows there are: a record of how, and of what each lets through."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver_memory import searching
from token_saver_memory.schema import text_of
from token_saver_memory.values import SYSTEM
from token_saver_memory.vectors.embedders import chosen

if TYPE_CHECKING:
    import sqlite3

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope
    from token_saver_memory.vectors.embedders import Embedder

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


def calibrate(memory: Memory, scope: Scope) -> list[Record]:
    """Measure the floor of every way to search that is on, store the records and return them.

    By words: the lowest floor that lets at most 5 of 100 unrelated questions through. By vectors: what 95 of 100 of these
    questions stay below, and no less than what 99 of 100 pairs of rows do. Raises InputError when there are too few rows to
    tell; the floor that was shipped holds then.
    """
    rows = memory.index(scope, MOST_ROWS)
    if len(rows) < FEWEST_ROWS:
        raise InputError(f"{len(rows)} rows are too few to measure by, {FEWEST_ROWS} are needed; the floors stay as shipped")
    questions = [line.split("\t")[1] for line in text_of("unrelated.tsv").splitlines()]
    records = [_by_words(memory.connection, scope, rows, questions)]
    embedder = chosen()
    if embedder is not None:
        records.append(_by_vectors(memory.connection, scope, rows, questions, embedder))
    with memory.writing(SYSTEM, reason="calibrated") as connection:
        connection.executemany("INSERT OR REPLACE INTO calibration VALUES (?, ?, ?, ?, ?, ?, ?)", records)
    return records


def _by_words(connection: sqlite3.Connection, scope: Scope, rows: list[Row], questions: list[str]) -> Record:
    for floor in CANDIDATES:
        leaked = sum(bool(searching.search(connection, scope, text, 1, floor=floor)) for text in questions) / len(questions)
        if leaked <= MOST_LEAKED:
            break
    kept = sum(row.id in [hit.id for hit in searching.search(connection, scope, row.title, 5, floor=floor)] for row in rows)
    return Record(searching.MODEL, time.time(), len(rows), len(questions), floor, kept / len(rows), leaked)


def _by_vectors(
    connection: sqlite3.Connection, scope: Scope, rows: list[Row], questions: list[str], embedder: Embedder
) -> Record:
    from token_saver_memory.vectors.fusion import measured_floor, similar

    floor = measured_floor(connection, scope, questions, embedder)
    leaked = sum(float(similar(connection, scope, text, (), embedder)[1].max(initial=0.0)) > floor for text in questions)
    kept = 0
    for row in rows:
        found, cosines = similar(connection, scope, row.title, (), embedder)
        kept += any(one.id == row.id and cosine >= floor for one, cosine in zip(found, cosines, strict=True))
    return Record(embedder.model, time.time(), len(rows), len(questions), floor, kept / len(rows), leaked / len(questions))


def record_of(connection: sqlite3.Connection) -> Record | None:
    """Return the record of the way to search that this release has; one of another way does not count."""
    found = connection.execute("SELECT * FROM calibration WHERE model = ?", (searching.MODEL,)).fetchone()
    return Record(*found) if found else None
