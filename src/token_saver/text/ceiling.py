"""A ceiling on the size of a result, chosen by value: failures first, then markers and told folds, then both ends."""

from __future__ import annotations

from token_saver.text.critical import is_critical
from token_saver.text.markers import is_marker
from token_saver.text.pieces import Fold, Recast, render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

_RESERVE = 60


def within(pieces: Sequence[Piece], budget: int) -> list[Piece]:
    """Return *pieces* with the least valuable kept lines folded, so that the rendered text has about *budget* characters.

    Lines of failure go last, then lines of change (``+``, ``-``), then the nearer to an end the later. The text can
    exceed the budget only by the markers that say what is missing.
    """
    if sum(map(len, render(pieces))) + len(pieces) <= budget:
        return list(pieces)
    budget -= _RESERVE
    chosen = _chosen(pieces, budget)
    return [piece if index in chosen else _folded(piece) for index, piece in enumerate(pieces)]


def _folded(piece: Piece) -> Piece:
    if isinstance(piece, Fold):
        return piece
    return Fold([piece] if isinstance(piece, str) else piece.lines, "line over the ceiling", told=True)


def _chosen(pieces: Sequence[Piece], budget: int) -> set[int]:
    total = len(pieces)
    order = sorted(range(total), key=lambda index: (-_value(pieces[index]), min(index, total - index)))
    chosen: set[int] = set()
    for index in order:
        piece = pieces[index]
        if isinstance(piece, Fold):
            continue
        budget -= len(piece.text if isinstance(piece, Recast) else piece) + 1
        if budget < 0:
            break
        chosen.add(index)
    return chosen


def _value(piece: Piece) -> int:
    text = piece if isinstance(piece, str) else piece.text if isinstance(piece, Recast) else ""
    if is_critical(text):
        return 3
    return 2 if text[:1] in "+-" and text else 1 if is_marker(text) else 0
