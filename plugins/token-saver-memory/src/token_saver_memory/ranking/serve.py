"""The one way in which rows are put in order and shown, for the tools and for what is put before the model unasked."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.ranking import shown
from token_saver_memory.ranking.features import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope

_DAY = 86_400.0


class Ask(NamedTuple):
    """What a list is for.

    *channel* is one of ``ranking.shown``, *task* one of ``ranking.features``; *file* (relative to the top) and *symbols* are
    what is being worked on; *whole* are the rows whose whole text will be shown. Where *budget* is not 0, rows are shown
    until their costs together reach that many tokens.
    """

    channel: str
    task: str
    size: int
    session: str = ""
    query: str = ""
    file: str = ""
    symbols: tuple[str, ...] = ()
    budget: int = 0
    whole: frozenset[int] = frozenset()


class Served(NamedTuple):
    """A list as it was recorded: its number, the rows in order, and what they cost together."""

    list_id: int
    rows: list[Row]
    tokens: int


def serve(memory: Memory, scope: Scope, rows: Sequence[Row], ask: Ask, cost: Callable[[Row], int], began: float) -> Served:
    """Order *rows*, choose those to show, and record the list; *began* is the ``time.perf_counter`` of the question."""
    by_id = {row.id: row for row in rows}
    connection = memory.connection
    ranked = shown.rank(
        connection,
        scope.project_id,
        candidates(rows, ask),
        task=ask.task,
        size=ask.size,
        channel=ask.channel,
        dice=random.SystemRandom(),
    )
    ranked = ranked._replace(shown=_within(ranked.shown, by_id, ask.budget, cost))
    chosen = [by_id[each.candidate.item_id] for each in ranked.shown]
    tokens = sum(map(cost, chosen))
    listing = shown.Listing(scope.project_id, ask.session, ask.channel, ask.query, tokens, time.perf_counter() - began, ask.whole)
    with memory.writing("system", ask.session, "list"):
        number = shown.record(connection, ranked, listing)
    return Served(number, chosen, tokens)


def _within(places: list[shown.Shown], by_id: dict[int, Row], budget: int, cost: Callable[[Row], int]) -> list[shown.Shown]:
    if not budget:
        return places
    kept, spent = [], 0
    for place in places:
        spent += cost(by_id[place.candidate.item_id])
        if spent > budget:
            break
        kept.append(place)
    return kept


def candidates(rows: Sequence[Row], ask: Ask, *, now: float | None = None) -> list[Candidate]:
    """Return what the ranker is told of *rows*."""
    at = time.time() if now is None else now
    best = max((row.score for row in rows), default=0.0) or 1.0
    folder = ask.file.rpartition("/")[0]
    return [
        Candidate(
            row.id,
            row.type,
            age_days=(at - row.recorded_at) / _DAY,
            importance=row.importance,
            verdict=row.verdict,
            review=row.review,
            provenance=row.provenance,
            lexical=max(0.0, row.score / best),
            same_file=bool(ask.file) and row.file_path == ask.file,
            same_folder=bool(ask.file and row.file_path) and row.file_path.rpartition("/")[0] == folder,
            same_symbol=bool(row.symbol) and row.symbol.rpartition(".")[2] in ask.symbols,
        )
        for row in rows
    ]
