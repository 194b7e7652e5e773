"""Which of two lists of lines belong together when an edit moved them: the pairs whose shifts change least."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_STEPS = 300_000


def paired(before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int]]:
    """Return (position in *before*, position in *after*) for all of the shorter list, in order.

    Lines move by what was inserted above them, so that neighbours mostly move alike: of all ways to pair in order, the sum
    of the changes from one shift to the next is least, the first shift counted as a change from none. Of equally good ways
    it is the first. Where that would take too long, and for lists of one length, they are paired from the start.
    """
    if len(before) > len(after):
        return [(one, other) for other, one in paired(after, before)]
    spare = len(after) - len(before)
    if not spare or len(before) * (spare + 1) * (spare + 1) > _MOST_STEPS:
        return [(at, at) for at in range(len(before))]
    costs = [0.0] * (spare + 1)
    choices: list[list[int]] = []
    for at, line in enumerate(before):
        shifts = [after[at + skipped] - line for skipped in range(spare + 1)]
        previous = [after[at - 1 + skipped] - before[at - 1] for skipped in range(spare + 1)] if at else [0]
        best = [_cheapest(costs, previous, shift, skipped if at else 0) for skipped, shift in enumerate(shifts)]
        costs = [cost for cost, _ in best]
        choices.append([choice for _, choice in best])
    return _traced(choices, costs.index(min(costs)))


def _cheapest(costs: list[float], previous: list[int], shift: int, most: int) -> tuple[float, int]:
    """Return the least cost of a pair with that *shift*, and how many were skipped before, *most* at most."""
    return min((costs[skipped] + abs(shift - previous[skipped]), skipped) for skipped in range(most + 1))


def _traced(choices: list[list[int]], skipped: int) -> list[tuple[int, int]]:
    pairs = []
    for at in range(len(choices) - 1, -1, -1):
        pairs.append((at, at + skipped))
        skipped = choices[at][skipped]
    return pairs[::-1]
