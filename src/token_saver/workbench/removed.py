"""What of an output does not stand in its result: lines gathered by shape, in one pass over each, without a diff."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

_NUMBERS = re.compile(r"[0-9]+|\b[0-9a-f]{7,}\b")
_SHAPE_CHARS = 120
_MOST_SHAPES = 10_000
OTHERS = "(other lines)"


class Group(NamedTuple):
    """Lines of one shape (numbers aside): the first of them, how many they are, and their characters."""

    example: str
    lines: int
    chars: int


def removed(output: str, result: str) -> list[Group]:
    """Return the lines of *output* that *result* does not hold as they were, blanks aside, most characters first.

    A line that is told in other words counts as removed. Each line of the result stands for one line of the output.
    """
    left = Counter(_flat(line) for line in result.split("\n"))
    groups: dict[str, Group] = {}
    for line in output.split("\n"):
        flat = _flat(line)
        if left[flat] > 0:
            left[flat] -= 1
        elif flat:
            shape = _NUMBERS.sub("0", flat[:_SHAPE_CHARS])
            if shape not in groups and len(groups) >= _MOST_SHAPES:
                shape = OTHERS
            example, lines, chars = groups.get(shape, (line.strip() if shape != OTHERS else OTHERS, 0, 0))
            groups[shape] = Group(example, lines + 1, chars + len(line) + 1)
    return sorted(groups.values(), key=lambda group: -group.chars)


def _flat(line: str) -> str:
    return "".join(line.split())
