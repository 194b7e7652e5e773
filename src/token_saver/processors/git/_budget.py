"""How much of an output stays when position or value has to decide."""

from __future__ import annotations

from token_saver.text import allowance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SMALL = 1200
_MIDDLE = 6000
_MOST = 42_000


def budget(chars: int) -> int:
    """Return how many of *chars* characters may stay: all of a small text, less and less of a larger one."""
    if chars <= SMALL:
        return chars
    return min(_MOST, max(_MIDDLE, allowance(chars), chars * 9 // 100))


def length(lines: Sequence[str]) -> int:
    """Return the characters of *lines* with their line ends."""
    return sum(map(len, lines)) + len(lines)
