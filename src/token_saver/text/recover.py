"""Error-shaped lines that vanished come back: in place where the fold is known, counted and marked otherwise."""

from __future__ import annotations

from token_saver.text.critical import critical_lines, report_lines
from token_saver.text.markers import marker
from token_saver.text.pieces import Fold
from token_saver.text.templates import template, templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece


def recover(pieces: Sequence[Piece], most: int) -> tuple[list[Piece], int]:
    """Split folds around lines of failure, at most *most* in all; return the pieces and how many lines came back.

    From a fold that was recognised only lines with the shape of a report come back, from any other every line with a
    word of failure. One line of a template is enough, and none where the result shows that template already.
    """
    if not any(isinstance(piece, Fold) for piece in pieces):
        return list(pieces), 0
    shown: set[str] | None = None
    result: list[Piece] = []
    back = 0
    for piece in pieces:
        if not isinstance(piece, Fold) or piece.told or back >= most:
            result.append(piece)
            continue
        hits = report_lines(piece.lines) if piece.known else critical_lines(piece.lines)
        if hits and shown is None:
            shown = set(templates([kept.strip() for kept in pieces if isinstance(kept, str)]))
        wanted = _new(piece.lines, hits, shown if shown is not None else set(), most - back)
        back += len(wanted)
        result.extend(_split(piece, wanted))
    return result, back


def _new(lines: Sequence[str], hits: list[int], shown: set[str], most: int) -> list[int]:
    wanted: list[int] = []
    for index in hits:
        if len(wanted) >= most:
            break
        key = template(lines[index].strip())
        if key not in shown:
            shown.add(key)
            wanted.append(index)
    return wanted


def _split(fold: Fold, wanted: list[int]) -> Iterator[Piece]:
    if not wanted:
        yield fold
        return
    start = 0
    for index in [*wanted, len(fold.lines)]:
        if index > start:
            yield Fold(fold.lines[start:index], fold.noun, known=fold.known, names=fold.names if not start else "")
        if index < len(fold.lines):
            yield fold.lines[index]
        start = index + 1


def recover_text(result: list[str], original: Sequence[str], most: int) -> tuple[list[str], int]:
    """Append to *result* the critical lines of *original* that it lacks, after a marker that counts them."""
    hits = critical_lines(original)
    if not hits:
        return result, 0
    shown = set(templates([line.strip() for line in result]))
    wanted = _new(original, hits, shown, most)
    if not wanted:
        return result, 0
    mark = marker([(len(wanted), "line of failure brought back", "")])
    return [*result, mark, *(original[index] for index in wanted)], len(wanted)
