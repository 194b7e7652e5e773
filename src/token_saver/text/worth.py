"""What a line is worth to a reader when nothing is known of the format."""

from __future__ import annotations

from token_saver.text.critical import critical_lines
from token_saver.text.rx import rx
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

TRACE_LINES = 40
CONTEXT_BEFORE = 2
FIRST, LAST = 4, 10

_TRACE = rx(r"\s+\S|\t|at |Caused by|goroutine |[^\s(]+\(.*\)$|created by |\.\.\. \d+ more|During handling|The above exception")


def ranks(lines: Sequence[str], budget: int) -> list[int]:
    """Return the rank of each line, for a result of *budget* characters.

    6 the very first and last lines, 5 the first two failures of each kind, 4 their context and trace, 3 both ends,
    2 the first line of each kind, 1 the second, 0 the rest.
    """
    keys = templates(lines)
    worth = _by_kind(keys)
    _raise_ends(lines, worth, budget * 2 // 5, len(lines), 3)
    seen: dict[str, int] = {}
    for index in critical_lines(lines):
        seen[keys[index]] = seen.get(keys[index], 0) + 1
        if seen[keys[index]] <= 2:
            worth[index] = 5
            _raise_trace(lines, worth, index)
    _raise_ends(lines, worth, budget // 5, FIRST, 6, LAST)
    return worth


def _by_kind(keys: Sequence[str]) -> list[int]:
    seen: dict[str, int] = {}
    worth: list[int] = []
    for key in keys:
        count = seen[key] = seen.get(key, 0) + 1
        worth.append(max(0, 3 - count) if key.strip() else 0)
    return worth


def _raise_ends(lines: Sequence[str], worth: list[int], room: int, first: int, rank: int, last: int | None = None) -> None:
    total = len(lines)
    for order in (range(min(first, total)), range(total - 1, max(-1, total - 1 - (last or first)), -1)):
        left = room
        for index in order:
            left -= len(lines[index]) + 1
            if left < 0:
                break
            worth[index] = max(worth[index], rank)


def _raise_trace(lines: Sequence[str], worth: list[int], index: int) -> None:
    for before in range(max(0, index - CONTEXT_BEFORE), index):
        worth[before] = max(worth[before], 4)
    for after in range(index + 1, min(len(lines), index + TRACE_LINES)):
        worth[after] = max(worth[after], 4)
        if not _TRACE.match(lines[after]):
            break
