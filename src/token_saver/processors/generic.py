"""The fallback: any command that no family reads."""

from __future__ import annotations

from token_saver.processor import FALLBACK_NAME, FALLBACK_PRIORITY, Family
from token_saver.text import allowance, cut, runs, rx, select
from token_saver.text.critical import critical_lines
from token_saver.text.pieces import Recast
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

LONG_LINE = 2000
TRACE_LINES = 40
CONTEXT_BEFORE = 2

_PROGRESS = rx(r".*(?:\d%|\d\s?/\s?\d|\b\d+(?:\.\d+)? ?[KMG]i?B(?:/s)?\b|\bETA\b|\d:\d\d)")
_TRACE = rx(
    r"\s+\S|\t|at |Caused by|goroutine |\S+\(.*\)$|created by |\.\.\. \d+ more|During handling|The above exception"
)


class GenericProcessor(Family):
    """Both ends, every line of failure with its context, the first of each kind of line; alike lines are counted."""

    name = FALLBACK_NAME
    priority = FALLBACK_PRIORITY

    def can_handle(self, command: str) -> bool:
        return True

    def read(self, capture: Capture) -> Iterable[Piece]:
        return reduce(capture.lines)


def reduce(lines: Sequence[str]) -> list[Piece]:
    """Read lines of which nothing is known: repeated neighbours are counted, and past the allowance value decides."""
    chars = sum(map(len, lines)) + len(lines)
    pieces: Iterable[Piece] = runs(lines, "repeated line", key=_same)
    budget = allowance(chars)
    if chars > budget:
        kept = list(pieces)
        if sum(len(piece) + 1 for piece in kept if isinstance(piece, str)) > budget:
            kept = list(select(lines, budget, "line", value=ranks(lines, budget)))
        pieces = kept
    return [_shortened(piece) for piece in pieces]


def _same(line: str) -> str:
    """Neighbours are alike when they are equal, or progress that differs in its numbers."""
    return "".join(char for char in line if not char.isdigit()) if _PROGRESS.match(line[:400]) else line


def ranks(lines: Sequence[str], budget: int) -> list[int]:
    """Return what each line is worth: 5 failure, 4 its trace, 3 both ends, 2 the first of its kind, 1 the second, 0 more."""
    keys = templates(lines)
    worth = _by_kind(keys)
    _raise_ends(lines, worth, budget * 2 // 5)
    seen: dict[str, int] = {}
    for index in critical_lines(lines):
        seen[keys[index]] = seen.get(keys[index], 0) + 1
        if seen[keys[index]] <= 2:
            worth[index] = 5
            _raise_trace(lines, worth, index)
    return worth


def _by_kind(keys: Sequence[str]) -> list[int]:
    seen: dict[str, int] = {}
    worth: list[int] = []
    for key in keys:
        count = seen[key] = seen.get(key, 0) + 1
        worth.append(max(0, 3 - count) if key.strip() else 0)
    return worth


def _raise_ends(lines: Sequence[str], worth: list[int], room: int) -> None:
    for order in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        left = room
        for index in order:
            left -= len(lines[index]) + 1
            if left < 0:
                break
            worth[index] = max(worth[index], 3)


def _raise_trace(lines: Sequence[str], worth: list[int], index: int) -> None:
    for before in range(max(0, index - CONTEXT_BEFORE), index):
        worth[before] = max(worth[before], 4)
    for after in range(index + 1, min(len(lines), index + TRACE_LINES)):
        worth[after] = max(worth[after], 4)
        if not _TRACE.match(lines[after]):
            break


def _shortened(piece: Piece) -> Piece:
    """Cut the middle out of a line that no reader reads to its end."""
    if not isinstance(piece, str) or len(piece) <= LONG_LINE:
        return piece
    return Recast(cut(piece, LONG_LINE * 2 // 3, LONG_LINE // 3), [piece])
