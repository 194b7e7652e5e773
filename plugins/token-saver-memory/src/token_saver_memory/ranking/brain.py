"""The stored model of a project: read, used, taught, and started anew when it is damaged or its features are others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver_memory.ranking.algebra import NotPositiveDefiniteError
from token_saver_memory.ranking.features import DIMENSION, feature_set
from token_saver_memory.ranking.model import Model

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from token_saver_memory.ranking.model import Lesson, Scored


def load(connection: sqlite3.Connection, project_id: int) -> Model:
    """Return the model of a project, a new one when there is none for these features or the stored one is damaged."""
    model = Model(DIMENSION)
    row = connection.execute(
        "SELECT a, a2, b, n FROM bandit WHERE project_id = ? AND feature_set = ? AND dim = ?",
        (project_id, feature_set(), DIMENSION),
    ).fetchone()
    if row is None:
        return model
    try:
        model.unpack(*row)
    except NotPositiveDefiniteError as error:
        return _anew(error)
    return model


def _anew(error: NotPositiveDefiniteError) -> Model:
    from token_saver.hosts import trouble

    trouble.note("memory: the ranker starts anew", error)
    return Model(DIMENSION)


def scores(connection: sqlite3.Connection, project_id: int, rows: Sequence[Sequence[float]]) -> list[Scored]:
    """Return what the model of a project thinks of rows of features."""
    model = load(connection, project_id)
    try:
        return model.score(rows)
    except NotPositiveDefiniteError as error:
        return _anew(error).score(rows)


def learn(connection: sqlite3.Connection, project_id: int, lessons: Sequence[Lesson], *, closes_list: bool, now: float) -> None:
    """Teach the model of a project, inside the open transaction."""
    if not lessons and not closes_list:
        return
    model = load(connection, project_id)
    model.learn(lessons, closes_list=closes_list)
    connection.execute(
        "INSERT INTO bandit (project_id, feature_set, dim, a, a2, b, n, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (project_id, feature_set) DO UPDATE SET dim = excluded.dim, a = excluded.a, a2 = excluded.a2,"
        " b = excluded.b, n = excluded.n, updated_at = excluded.updated_at",
        (project_id, feature_set(), DIMENSION, *model.packed(), model.seen, now),
    )
