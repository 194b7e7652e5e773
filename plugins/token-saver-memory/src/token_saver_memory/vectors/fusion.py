"""Words and vectors in one answer: the sum of both scores, with a floor for each arm.

Sums keep a row that is first in one arm ahead of one that is middling in both; ranks (RRF) do not. A row that words did
not find must reach the floor of the vectors: the calibrated one of this very model, else the one it was shipped with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy

from token_saver_memory import searching
from token_saver_memory.reading import COLUMNS, of_types, row_of
from token_saver_memory.values import SYSTEM
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from token_saver_memory.values import Row, Scope
    from token_saver_memory.vectors.embedders import Embedder, Matrix

WEIGHT = 1.0
MOST_AT_ONCE = 500


def search(
    connection: sqlite3.Connection, scope: Scope | None, text: str, limit: int, types: Sequence[str], embedder: Embedder
) -> list[Row]:
    """Return the visible rows of *scope* that answer *text* by words or by meaning, best first."""
    embed_missing(connection, scope, embedder)
    by_words = searching.search(connection, scope, text, max(limit, searching.POOL), types)
    top = max((row.score for row in by_words), default=0.0)
    scores = {row.id: row.score / top for row in by_words if top > 0}
    rows, cosines = similar(connection, scope, text, types, embedder)
    floor = floor_of(connection, embedder)
    found = []
    for row, cosine in zip(rows, cosines, strict=True):
        if row.id in scores or cosine >= floor:
            found.append(row._replace(score=scores.get(row.id, 0.0) + WEIGHT * max(0.0, float(cosine))))
    return sorted(found, key=lambda row: -row.score)[:limit]


def similar(
    connection: sqlite3.Connection, scope: Scope | None, text: str, types: Sequence[str], embedder: Embedder
) -> tuple[list[Row], Matrix]:
    """Return all visible rows of *scope* that have a vector of this model, and the cosine of each with *text*."""
    terms, values = of_types(types)
    found = connection.execute(
        f"SELECT vec, {COLUMNS} FROM visible_item JOIN item_vector ON item_id = id AND model = ? "
        f"WHERE (project_id = ? OR is_global = 1) AND {terms}",
        (embedder.model, scope.project_id if scope else -1, *values),
    ).fetchall()
    if not found:
        return [], numpy.zeros(0, numpy.float32)
    matrix = numpy.frombuffer(b"".join(row[0] for row in found), numpy.float32).reshape(len(found), -1)
    return [row_of(row[1:]) for row in found], matrix @ embedder.embed([text])[0]


def embed_missing(connection: sqlite3.Connection, scope: Scope | None, embedder: Embedder, most: int = MOST_AT_ONCE) -> int:
    """Store vectors for up to *most* visible rows of *scope* that have none of this model; return how many."""
    rows = connection.execute(
        "SELECT id, title, body FROM visible_item WHERE (project_id = ? OR is_global = 1) "
        "AND NOT EXISTS (SELECT 1 FROM item_vector WHERE item_id = id AND model = ?) LIMIT ?",
        (scope.project_id if scope else -1, embedder.model, most),
    ).fetchall()
    if not rows:
        return 0
    vectors = embedder.embed([f"{title}. {body}" for _, title, body in rows])
    with transaction(connection, SYSTEM, reason="embedded"):
        connection.executemany(
            "INSERT OR REPLACE INTO item_vector (item_id, model, dim, vec) VALUES (?, ?, ?, ?)",
            [(row[0], embedder.model, len(vector), vector.tobytes()) for row, vector in zip(rows, vectors, strict=True)],
        )
    return len(rows)


def floor_of(connection: sqlite3.Connection, embedder: Embedder) -> float:
    """Return the floor of this model: from its calibration, else as shipped. Another model's record does not count."""
    found = connection.execute("SELECT floor FROM calibration WHERE model = ?", (embedder.model,)).fetchone()
    return float(found[0]) if found else embedder.floor


def measured_floor(connection: sqlite3.Connection, scope: Scope, questions: Sequence[str], embedder: Embedder) -> float:
    """Return the 95th percentile of the best cosine of unrelated *questions*, not below the 99th between rows."""
    while embed_missing(connection, scope, embedder):
        pass
    best = [float(similar(connection, scope, question, (), embedder)[1].max(initial=0.0)) for question in questions]
    found = connection.execute(
        "SELECT vec FROM visible_item JOIN item_vector ON item_id = id AND model = ? WHERE project_id = ? ORDER BY id LIMIT 500",
        (embedder.model, scope.project_id),
    ).fetchall()
    matrix = numpy.frombuffer(b"".join(row[0] for row in found), numpy.float32).reshape(len(found), -1)
    pairs = (matrix @ matrix.T)[numpy.triu_indices(len(found), 1)]
    return float(max(numpy.percentile(best, 95), numpy.percentile(pairs, 99)))
