"""LinUCB over rows of features (Li et al. 2010), discounted so that it forgets (D-LinUCB, Russac et al. 2019).

With rewards ``r``, features ``φ`` and weights ``w`` of the impressions, and once for every closed list a discount ``γ``::

    V ← γ V + Σ w φφᵀ + (1 − γ) λ I      b ← γ b + Σ w r φ
    Ṽ ← γ² Ṽ + Σ w² φφᵀ + (1 − γ²) λ I
    θ = V⁻¹ b        score = θᵀφ + α √(φᵀ V⁻¹ Ṽ V⁻¹ φ)

The refill of the ridge keeps a direction that is no longer seen from winding up. With ``γ = 1`` this is plain LinUCB.
"""

from __future__ import annotations

from array import array
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.ranking import algebra

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ALPHA = 0.4
"""How much an uncertain row is favoured."""
DISCOUNT = 0.995
"""About two hundred lists are remembered."""
RIDGE = 1.0


class Lesson(NamedTuple):
    """One closed impression: the features that it was ranked with, what it earned, and how much that says."""

    features: Sequence[float]
    reward: float
    weight: float = 1.0


class Scored(NamedTuple):
    """What the model thinks of one row: what it is expected to earn, and the bonus for what is not known of it."""

    mean: float
    bonus: float

    @property
    def score(self) -> float:
        """The upper end of the confidence interval, by which rows are ordered."""
        return self.mean + self.bonus


class Model:
    """The state of the learner: two matrices, a vector, and how many impressions it has learnt from."""

    def __init__(self, dimension: int, *, alpha: float = ALPHA, discount: float = DISCOUNT, ridge: float = RIDGE) -> None:
        self.dimension = dimension
        self.alpha = alpha
        self.discount = discount
        self.ridge = ridge
        self.seen = 0
        self.design = algebra.identity(dimension, ridge)
        self.spread = algebra.identity(dimension, ridge)
        self.target = [0.0] * dimension

    def learn(self, lessons: Iterable[Lesson], *, closes_list: bool = True) -> None:
        """Learn from impressions; the past is discounted when they close their list."""
        if closes_list and self.discount < 1.0:
            self._forget()
        for features, reward, weight in lessons:
            algebra.add_outer(self.design, features, weight)
            algebra.add_outer(self.spread, features, weight * weight)
            for position, value in enumerate(features):
                self.target[position] += weight * reward * value
            self.seen += 1

    def _forget(self) -> None:
        kept, squared = self.discount, self.discount * self.discount
        algebra.decay(self.design, kept, (1.0 - kept) * self.ridge)
        algebra.decay(self.spread, squared, (1.0 - squared) * self.ridge)
        self.target = [kept * value for value in self.target]

    def weights(self) -> algebra.Vector:
        """Return ``θ``; raises NotPositiveDefiniteError when the state is damaged."""
        return algebra.solve(algebra.cholesky(self.design), self.target)

    def score(self, rows: Iterable[Sequence[float]]) -> list[Scored]:
        """Return what the model thinks of each row of features; raises NotPositiveDefiniteError when it is damaged."""
        lower = algebra.cholesky(self.design)
        theta = algebra.solve(lower, self.target)
        # V⁻¹ Ṽ V⁻¹, column by column: the inner product is symmetric, so its rows serve as its columns.
        inner = [algebra.solve(lower, row) for row in self.spread]
        covariance = [algebra.solve(lower, list(column)) for column in zip(*inner, strict=True)]
        return [Scored(algebra.dot(theta, row), self.alpha * sqrt(max(0.0, algebra.quadratic(covariance, row)))) for row in rows]

    def packed(self) -> tuple[bytes, bytes, bytes]:
        """Return the two matrices and the vector as they are stored."""
        return _flat(self.design), _flat(self.spread), array("d", self.target).tobytes()

    def unpack(self, design: bytes, spread: bytes, target: bytes, seen: int) -> None:
        """Take over a stored state; raises NotPositiveDefiniteError when it does not fit or is no state."""
        self.design = _square(design, self.dimension)
        self.spread = _square(spread, self.dimension)
        self.target = _row(target, self.dimension)
        self.seen = seen
        algebra.cholesky(self.design)
        algebra.cholesky(self.spread)


def pack_features(features: Sequence[float]) -> bytes:
    """Return features as they are stored with an impression."""
    return array("d", features).tobytes()


def unpack_features(stored: bytes) -> list[float]:
    """Return stored features."""
    return list(array("d", stored))


def _flat(matrix: algebra.Matrix) -> bytes:
    return array("d", [value for row in matrix for value in row]).tobytes()


def _row(stored: bytes, length: int) -> algebra.Vector:
    if len(stored) != 8 * length:
        raise algebra.NotPositiveDefiniteError(f"{len(stored)} bytes stand for {length} numbers")
    return list(array("d", stored))


def _square(stored: bytes, dimension: int) -> algebra.Matrix:
    values = _row(stored, dimension * dimension)
    return [values[start : start + dimension] for start in range(0, len(values), dimension)]
