"""What was shown, in which order and why, and what became of it. A row of a list is closed exactly once.

Everything that the ranker learns from stands in the database at the moment of the listing: a restart loses nothing, a second
fetch teaches nothing, and a later listing of the same row has its own entry.
"""

from __future__ import annotations

import time
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.ranking import brain
from token_saver_memory.ranking.explore import EPSILON, ordered
from token_saver_memory.ranking.features import WARNING_TYPES, Candidate, feature_set, features, prior
from token_saver_memory.ranking.model import Lesson, pack_features, unpack_features
from token_saver_memory.ranking.position import examined

if TYPE_CHECKING:
    import random
    import sqlite3
    from collections.abc import Iterable, Sequence

    from token_saver_memory.ranking.offpolicy import Event

WINDOW = 1800.0
"""Seconds in which a fetch counts for the list that showed the row."""
TOOL_LIST, TOOL_SEARCH, START, START_CHANGES, PROMPT, EDIT = "index", "search", "start", "start-changes", "prompt", "edit"
WHOLE = "whole"
"""The channel of a single row whose whole text was shown in a list that shows excerpts."""
WHOLE_CHANNELS = frozenset({EDIT, WHOLE})
"""Where the whole text is shown: that nobody fetched it says nothing."""
UNDISTURBED_CHANNELS = frozenset({EDIT, START, START_CHANGES})
"""Channels in which chance has no say."""
REWARDS = {"fetched": 1.0, "useful": 1.0, "wrong": 0.0, "ignored": 0.0}


class Ranked(NamedTuple):
    """Candidates in the order to show them, with all that ``record`` needs."""

    shown: list[Shown]
    rivals: list[list[float]]


class Shown(NamedTuple):
    """One place of a list."""

    candidate: Candidate
    features: list[float]
    score: float
    propensity: float
    explored: bool


class Listing(NamedTuple):
    """Where a list was shown; *whole* are the rows whose whole text stood in it."""

    project_id: int
    session: str
    channel: str
    query: str = ""
    tokens: int = 0
    seconds: float = 0.0
    whole: frozenset[int] = frozenset()


def rank(
    connection: sqlite3.Connection,
    project_id: int,
    candidates: Sequence[Candidate],
    *,
    task: str,
    size: int,
    channel: str,
    dice: random.Random,
    epsilon: float = EPSILON,
) -> Ranked:
    """Return the *size* best of *candidates* for a *task*, rows that warn first where nobody asked for the list."""
    rows = _with_past(connection, candidates)
    values = [features(row, task) for row in rows]
    learnt = brain.scores(connection, project_id, values)
    scores = [prior(row) + each.score for row, each in zip(values, learnt, strict=True)]
    asked = channel in (TOOL_LIST, TOOL_SEARCH)
    tiers = [0.0 if asked or row.type not in WARNING_TYPES else 100.0 for row in rows]
    ordering = ordered(
        [tier + score for tier, score in zip(tiers, scores, strict=True)],
        size,
        may_move=[row.type not in WARNING_TYPES for row in rows],
        epsilon=0.0 if channel in UNDISTURBED_CHANNELS else epsilon,
        dice=dice,
    )
    shown = [Shown(rows[p.position], values[p.position], scores[p.position], p.propensity, p.explored) for p in ordering.places]
    return Ranked(shown, [values[position] for position in ordering.rivals])


def _with_past(connection: sqlite3.Connection, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Add how often each row was shown and fetched."""
    marks = ",".join("?" * len(candidates))
    past = connection.execute(
        "SELECT item_id, count(*), sum(outcome IN ('fetched', 'useful')) FROM impression"
        f" WHERE item_id IN ({marks}) AND outcome IS NOT NULL GROUP BY item_id",
        [row.item_id for row in candidates],
    )
    counts = {item: (shown, fetched) for item, shown, fetched in past}
    return [
        row._replace(shown=counts.get(row.item_id, (0, 0))[0], fetched=counts.get(row.item_id, (0, 0))[1]) for row in candidates
    ]


def record(connection: sqlite3.Connection, ranked: Ranked, listing: Listing, *, now: float | None = None) -> int:
    """Store a list with all that the ranker will learn from, inside the open transaction; returns the list's number."""
    at = time.time() if now is None else now
    rivals = b"".join(map(pack_features, ranked.rivals)) if ranked.rivals else None
    cursor = connection.execute(
        "INSERT INTO list_event (project_id, session_id, channel, query_hash, tokens, latency_ms, model, shown_at,"
        " rivals, closed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (listing.project_id, listing.session, listing.channel, _hash(listing.query), listing.tokens, listing.seconds * 1000.0,
         feature_set(), at, rivals, int(not ranked.shown)),
    )  # fmt: skip
    number = int(cursor.lastrowid or 0)
    connection.executemany(
        "INSERT INTO impression (list_id, item_id, channel, rank, propensity, explored, feature_set, phi, shown_at, closes_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (number, each.candidate.item_id, _channel(listing, each), place, each.propensity, int(each.explored), feature_set(),
             pack_features(each.features), at, at + WINDOW)
            for place, each in enumerate(ranked.shown, 1)
        ],
    )  # fmt: skip
    return number


def _channel(listing: Listing, each: Shown) -> str:
    return WHOLE if each.candidate.item_id in listing.whole else listing.channel


def _hash(query: str) -> str:
    return sha256(query.casefold().encode()).hexdigest()[:16] if query else ""


def close(
    connection: sqlite3.Connection, item_ids: Iterable[int], outcome: str, *, session: str = "", now: float | None = None
) -> int:
    """Close the newest open place of each row as *outcome* and learn from it; returns how many were open.

    With a *session*, its own lists come first. What was fetched can still be found wrong or useful later: that is told of the
    next open place alone, for no place is closed twice.
    """
    at = time.time() if now is None else now
    closed = 0
    for item in item_ids:
        found = connection.execute(
            "SELECT i.list_id FROM impression i JOIN list_event l USING (list_id) WHERE i.item_id = ? AND i.outcome IS NULL"
            " AND i.closes_at > ? ORDER BY l.session_id = ? DESC, i.shown_at DESC, i.list_id DESC LIMIT 1",
            (item, at, session),
        ).fetchone()
        if found is not None:
            closed += _close(connection, [(found[0], item)], outcome, at)
    return closed


def sweep(connection: sqlite3.Connection, *, session: str = "", now: float | None = None) -> int:
    """Close as ignored what is overdue, and all that is open of an ended *session*; returns how many places that were."""
    at = time.time() if now is None else now
    rows = connection.execute(
        "SELECT i.list_id, i.item_id FROM impression i JOIN list_event l USING (list_id) WHERE i.outcome IS NULL"
        " AND (i.closes_at <= ? OR (? <> '' AND l.session_id = ?)) ORDER BY i.list_id, i.rank",
        (at, session, session),
    ).fetchall()
    return _close(connection, rows, "ignored", at)


def _close(connection: sqlite3.Connection, places: Sequence[tuple[int, int]], outcome: str, at: float) -> int:
    by_list: dict[int, list[int]] = {}
    for number, item in places:
        by_list.setdefault(number, []).append(item)
    closed = 0
    for number, items in by_list.items():
        project, is_last = _settle(connection, number, items, outcome, at)
        lessons = _lessons(connection, number, items, outcome)
        brain.learn(connection, project, lessons, closes_list=is_last, now=at)
        closed += len(items)
    return closed


def _settle(connection: sqlite3.Connection, number: int, items: Sequence[int], outcome: str, at: float) -> tuple[int, bool]:
    """Write the outcome; return the project of the list, and whether nothing of it is open any more."""
    connection.executemany(
        "UPDATE impression SET outcome = ?, outcome_at = ? WHERE list_id = ? AND item_id = ? AND outcome IS NULL",
        [(outcome, at, number, item) for item in items],
    )
    done = connection.execute(
        "UPDATE list_event SET closed = 1 WHERE list_id = ? AND closed = 0"
        " AND NOT EXISTS (SELECT 1 FROM impression WHERE list_id = ? AND outcome IS NULL)",
        (number, number),
    )
    project = connection.execute("SELECT project_id FROM list_event WHERE list_id = ?", (number,)).fetchone()[0]
    return int(project), done.rowcount == 1


def _lessons(connection: sqlite3.Connection, number: int, items: Sequence[int], outcome: str) -> list[Lesson]:
    """Return what closed places teach, and mark them as learnt: those of this set of features, once each."""
    rows = connection.execute(
        "SELECT item_id, rank, channel, phi FROM impression WHERE list_id = ? AND learned = 0 AND feature_set = ?"
        f" AND item_id IN ({','.join('?' * len(items))})",
        (number, feature_set(), *items),
    ).fetchall()
    taught = [row for row in rows if outcome != "ignored" or row[2] not in WHOLE_CHANNELS]
    connection.executemany(
        "UPDATE impression SET learned = 1 WHERE list_id = ? AND item_id = ?", [(number, row[0]) for row in taught]
    )
    return [lesson(unpack_features(phi), rank, outcome) for _, rank, _, phi in taught]


def lesson(values: list[float], rank: int, outcome: str) -> Lesson:
    """Return what a closed place teaches: by how much the prior was wrong; being ignored says less the lower it stood."""
    return Lesson(values, REWARDS[outcome] - prior(values), examined(rank) if outcome == "ignored" else 1.0)


def last_places(connection: sqlite3.Connection, project_id: int) -> list[Event]:
    """Return the closed last places in which chance had a hand, oldest first."""
    rows = connection.execute(
        "SELECT l.rivals, i.phi, i.propensity, i.explored, i.outcome FROM list_event l JOIN impression i USING (list_id)"
        " WHERE l.project_id = ? AND l.closed = 1 AND l.rivals IS NOT NULL AND i.propensity < 1.0 AND i.feature_set = ?"
        " ORDER BY l.list_id",
        (project_id, feature_set()),
    )
    return [_event(rivals, phi, propensity, bool(explored), outcome) for rivals, phi, propensity, explored, outcome in rows]


def _event(rivals: bytes, phi: bytes, propensity: float, explored: bool, outcome: str) -> Event:
    from token_saver_memory.ranking.offpolicy import Event

    rows = [unpack_features(rivals[start : start + len(phi)]) for start in range(0, len(rivals), len(phi))]
    taken = rows.index(unpack_features(phi), int(explored))
    return Event(rows, taken, propensity, REWARDS[outcome], explored)
