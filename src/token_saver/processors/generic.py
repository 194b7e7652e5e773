"""The fallback: any command that no family reads."""

from __future__ import annotations

from token_saver.processor import FALLBACK_NAME, FALLBACK_PRIORITY, Family
from token_saver.text import allowance, cut, runs, rx, select
from token_saver.text.logs import is_log, read_log
from token_saver.text.pieces import Fold, Recast
from token_saver.text.traces import fold_frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

LONG_LINE = 2000

_PROGRESS = rx(r".*(?:\d%|\d\s?/\s?\d|\b\d+(?:\.\d+)? ?[KMG]i?B(?:/s)?\b|\bETA\b)")


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
    pieces: Iterable[Piece] = fold_frames(list(runs(lines, key=_same)))
    budget = allowance(chars)
    if chars > budget and is_log(lines):
        pieces = read_log(lines)
    elif chars > budget:
        kept = list(pieces)
        if sum(len(piece) + 1 for piece in kept if isinstance(piece, str)) > budget:
            kept = _selected(lines, budget)
        pieces = kept
    return [_shortened(piece) for piece in pieces]


def _selected(lines: Sequence[str], budget: int) -> list[Piece]:
    """Select among lines as long as they will be shown, and return those that are kept whole."""
    pieces: list[Piece] = []
    at = 0
    for piece in select([_cut(line) for line in lines], budget, "line"):
        size = len(piece.lines) if isinstance(piece, Fold) else 1
        pieces.append(Fold(lines[at : at + size], piece.noun) if isinstance(piece, Fold) else lines[at])
        at += size
    return pieces


def _same(line: str) -> str:
    """Neighbours are alike when they are equal, or progress that differs in its numbers."""
    return "".join(char for char in line if not char.isdigit()) if _PROGRESS.match(line[:400]) else line


def _shortened(piece: Piece) -> Piece:
    """Cut the middle out of a line that no reader reads to its end."""
    if not isinstance(piece, str) or len(piece) <= LONG_LINE:
        return piece
    return Recast(_cut(piece), [piece])


def _cut(line: str) -> str:
    return line if len(line) <= LONG_LINE else cut(line, LONG_LINE * 2 // 3, LONG_LINE // 3)
