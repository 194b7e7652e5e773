"""Areas."""

import math


class Shape:
    """Something flat."""

    sides = 0

    def area(self) -> float:
        """Return its size."""
        return self.scale(square(self.sides))

    def scale(self, value: float) -> float:
        return value


def square(value: float) -> float:
    # squares "square" itself
    return math.pow(value, 2)
