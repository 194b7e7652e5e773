"""What the ranker earns of what could be earned, against rankers that learn less: ``python benchmarks/ranker.py``.

Every list shows ten of a pool of thirty rows out of sixty. A row is wanted with a probability that depends on its features
and on the taste of the user; a place is looked at with probability ``1 / log2(place + 1)``. Half-way the taste may be
replaced. Printed are the share of the ideal reward over the last lists, the regret, and when ninety per cent are reached.
"""

from __future__ import annotations

import argparse
import random
from math import log2
from typing import NamedTuple

from token_saver_memory.ranking import algebra
from token_saver_memory.ranking.explore import ordered
from token_saver_memory.ranking.model import Lesson, Model
from token_saver_memory.ranking.position import examined

ROWS, POOL, SHOWN, FEATURES = 60, 30, 10, 8
LISTS, TAIL, SEEDS = 1500, 300, 12


class Learner(NamedTuple):
    """A way to learn: from nothing, from clicks alone, or with what was shown in vain; forgetting or not."""

    name: str
    learns: bool
    zeros: bool
    weighted: bool
    discount: float


LEARNERS = (
    Learner("fixed order", False, False, False, 1.0),
    Learner("clicks alone", True, False, False, 1.0),
    Learner("with zeros", True, True, False, 1.0),
    Learner("zeros weighted", True, True, True, 1.0),
    Learner("discounted", True, True, True, 0.995),
)


class World:
    """Rows with features, and a user with a taste."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.rows = [[1.0, *(self.dice.random() for _ in range(FEATURES - 1))] for _ in range(ROWS)]
        self.redraw()

    def redraw(self) -> None:
        """Replace the taste: a few rows are wanted often, most hardly ever."""
        taste = [0.0, *(self.dice.gauss(0.0, 1.0) for _ in range(FEATURES - 1))]
        liking = [algebra.dot(taste, row) for row in self.rows]
        low, high = min(liking), max(liking)
        self.wanted = [0.02 + 0.8 * ((value - low) / (high - low)) ** 3 for value in liking]

    def expected(self, shown: list[int]) -> float:
        """Return how many fetches a list is worth."""
        return sum(self.wanted[row] / log2(place + 1) for place, row in enumerate(shown, 1))

    def fetched(self, row: int, place: int) -> bool:
        """Say whether the row is fetched when it stands at *place*."""
        return self.dice.random() < self.wanted[row] / log2(place + 1)


class Result(NamedTuple):
    """The share of the ideal over the last lists, the summed regret, and the first list that ends at ninety per cent."""

    share: float
    regret: float
    converged: int


def run(
    learner: Learner, seed: int, *, lists: int = LISTS, tail: int = TAIL, drift: bool = False, epsilon: float = 0.1
) -> Result:
    """Let one learner serve one user."""
    world = World(seed)
    model = Model(FEATURES, discount=learner.discount)
    dice = random.Random(seed + 1)
    shares, regret = [], 0.0
    for turn in range(lists):
        if drift and turn == lists // 2:
            world.redraw()
        pool = world.dice.sample(range(ROWS), POOL)
        shown = _shown(learner, model, [world.rows[row] for row in pool], epsilon, dice)
        rows = [pool[position] for position in shown]
        ideal = world.expected(sorted(pool, key=lambda row: -world.wanted[row])[:SHOWN])
        earned = world.expected(rows)
        shares.append((earned, ideal))
        regret += ideal - earned
        if learner.learns:
            model.learn(_lessons(learner, world, rows))
    return Result(_share(shares[-tail:]), regret, _converged(shares))


def _shown(learner: Learner, model: Model, rows: list[list[float]], epsilon: float, dice: random.Random) -> list[int]:
    if not learner.learns:
        return list(range(SHOWN))
    scores = [each.score for each in model.score(rows)]
    ordering = ordered(scores, SHOWN, may_move=[True] * len(rows), epsilon=epsilon, dice=dice)
    return [place.position for place in ordering.places]


def _lessons(learner: Learner, world: World, rows: list[int]) -> list[Lesson]:
    lessons = []
    for place, row in enumerate(rows, 1):
        if world.fetched(row, place):
            lessons.append(Lesson(world.rows[row], 1.0))
        elif learner.zeros:
            lessons.append(Lesson(world.rows[row], 0.0, examined(place) if learner.weighted else 1.0))
    return lessons


def _share(earned: list[tuple[float, float]]) -> float:
    return sum(got for got, _ in earned) / sum(best for _, best in earned)


def _converged(earned: list[tuple[float, float]], window: int = 50) -> int:
    for end in range(window, len(earned) + 1):
        if _share(earned[end - window : end]) >= 0.9:
            return end
    return -1


def main() -> None:
    """Print the table."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seeds", type=int, default=SEEDS)
    words.add_argument("--lists", type=int, default=LISTS)
    options = words.parse_args()
    print(f"{'learner':16} {'taste':9} {'share of ideal':>14} {'regret':>8} {'90 % after':>10}")
    for drift in (False, True):
        for learner in LEARNERS:
            results = [run(learner, seed, lists=options.lists, drift=drift) for seed in range(options.seeds)]
            share = sum(each.share for each in results) / len(results)
            regret = sum(each.regret for each in results) / len(results)
            reached = [each.converged for each in results if each.converged > 0]
            when = f"{sum(reached) / len(reached):.0f} lists" if len(reached) == len(results) else "not"
            print(f"{learner.name:16} {'replaced' if drift else 'kept':9} {share:14.3f} {regret:8.0f} {when:>10}")


if __name__ == "__main__":
    main()
