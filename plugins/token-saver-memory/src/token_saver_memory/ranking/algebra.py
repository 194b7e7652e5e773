"""Small dense linear algebra over lists of floats: enough for a model of a dozen features, and no dependency."""

from __future__ import annotations

from math import sqrt
from operator import mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = list[float]
Matrix = list[list[float]]


class NotPositiveDefiniteError(ArithmeticError):
    """A matrix that must be positive definite is not: it was damaged or has lost all precision."""


def identity(dimension: int, scale: float = 1.0) -> Matrix:
    """Return *scale* times the identity matrix."""
    return [[scale if row == column else 0.0 for column in range(dimension)] for row in range(dimension)]


def dot(left: Sequence[float], right: Sequence[float]) -> float:
    """Return the inner product of two vectors of one length."""
    product: float = sum(map(mul, left, right))
    return product


def times(matrix: Matrix, vector: Sequence[float]) -> Vector:
    """Return the product of a matrix and a vector."""
    return [dot(row, vector) for row in matrix]


def quadratic(matrix: Matrix, vector: Sequence[float]) -> float:
    """Return the quadratic form ``xᵀ M x``."""
    return dot(vector, times(matrix, vector))


def add_outer(matrix: Matrix, vector: Sequence[float], weight: float) -> None:
    """Add ``weight · x xᵀ`` to *matrix* in place."""
    for row, left in zip(matrix, vector, strict=True):
        scaled = weight * left
        if scaled:
            for column, right in enumerate(vector):
                row[column] += scaled * right


def decay(matrix: Matrix, factor: float, refill: float) -> None:
    """Multiply *matrix* by *factor* and add *refill* to its diagonal, in place."""
    for position, row in enumerate(matrix):
        row[:] = [factor * value for value in row]
        row[position] += refill


def cholesky(matrix: Matrix) -> Matrix:
    """Return the lower triangle ``L`` with ``L Lᵀ = M``; raises NotPositiveDefiniteError when there is none."""
    lower: Matrix = []
    for row, values in enumerate(matrix):
        made: Vector = []
        for column in range(row + 1):
            above = made if column == row else lower[column]
            rest = values[column] - dot(made[:column], above[:column])
            if column < row:
                made.append(rest / above[column])
            elif rest > 0.0:
                made.append(sqrt(rest))
            else:
                raise NotPositiveDefiniteError(f"pivot {row} is {rest!r}")
        lower.append(made)
    return lower


def solve(lower: Matrix, vector: Sequence[float]) -> Vector:
    """Return ``x`` with ``L Lᵀ x = v``, for the triangle that ``cholesky`` made."""
    forward: Vector = []
    for row, value in zip(lower, vector, strict=True):
        forward.append((value - dot(row[:-1], forward)) / row[-1])
    found = forward[:]
    for place in reversed(range(len(found))):
        found[place] /= lower[place][place]
        for column in range(place):
            found[column] -= lower[place][column] * found[place]
    return found
