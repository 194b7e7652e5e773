"""Judges orders of a project's rows against each other, from the log of its own lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.ranking import algebra, offpolicy, shown
from token_saver_memory.ranking.features import NAMES, prior
from token_saver_memory.ranking.model import Lesson, Model

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence

    from token_saver_memory.ranking.offpolicy import Estimate, Event, Policy


class Judged(NamedTuple):
    """What one order would have earned in the last place of the later half of the lists."""

    policy: str
    estimates: list[Estimate]


def judged(connection: sqlite3.Connection, project_id: int) -> tuple[int, list[Judged]]:
    """Return how many events there are to judge by, and each order judged.

    The learnt order is fitted on the earlier half alone: judged by what it was taught with, it would only look good.
    """
    events = shown.last_places(connection, project_id)
    earlier, later = events[: len(events) // 2], events[len(events) // 2 :]
    recency = NAMES.index("recency")
    policies: dict[str, Policy] = {
        "as it was shown": lambda rows: 0,
        "prior weights": _best(lambda row: prior(list(row))),
        "newest first": _best(lambda row: row[recency]),
        "learnt": _learnt(earlier),
    }
    return len(later), [Judged(name, offpolicy.estimates(later, policy)) for name, policy in policies.items()]


def _best(value: Callable[[Sequence[float]], float]) -> Policy:
    return lambda rows: max(range(len(rows)), key=lambda position: value(rows[position]))


def _learnt(events: Sequence[Event]) -> Policy:
    model = Model(len(NAMES))
    for event in events:
        row = event.rows[event.taken]
        model.learn([Lesson(row, event.reward - prior(list(row)))])
    weights = model.weights()
    return _best(lambda row: prior(list(row)) + algebra.dot(weights, row))
