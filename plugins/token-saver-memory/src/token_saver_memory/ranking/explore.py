"""The order in which rows are shown, with a little chance in the last place, whose probability is known.

A ranker that always shows its own best can never be judged against another from its log. So with probability ``ε`` the last
place goes to a row drawn uniformly from those that would not be shown. Rows that warn are neither displaced nor drawn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

EPSILON = 0.1


class Choice(NamedTuple):
    """One place of a list: which candidate stands there, how likely that was, and whether chance put it there."""

    position: int
    propensity: float
    explored: bool


class Ordering(NamedTuple):
    """A list to show, best first; *rivals* are the candidates that the last place was drawn from, [] without a draw."""

    places: list[Choice]
    rivals: list[int]


def ordered(scores: Sequence[float], size: int, *, may_move: Sequence[bool], epsilon: float, dice: random.Random) -> Ordering:
    """Return the *size* best candidates; *may_move* tells which of them may be displaced or drawn by chance."""
    best = sorted(range(len(scores)), key=lambda position: -scores[position])
    shown, rest = best[:size], [position for position in best[size:] if may_move[position]]
    places = [Choice(position, 1.0, False) for position in shown]
    if not shown or not rest or not may_move[shown[-1]] or epsilon <= 0.0:
        return Ordering(places, [])
    if dice.random() < epsilon:
        places[-1] = Choice(dice.choice(rest), epsilon / len(rest), True)
    else:
        places[-1] = Choice(shown[-1], 1.0 - epsilon, False)
    return Ordering(places, [shown[-1], *rest])
