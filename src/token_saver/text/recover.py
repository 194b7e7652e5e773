"""Error-shaped lines that vanished come back: in place where the fold is known, counted and marked otherwise."""

from __future__ import annotations

from token_saver.text.critical import critical_lines, is_report
from token_saver.text.markers import is_marker, marker
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
    folds = [piece for piece in pieces if isinstance(piece, Fold) and not piece.told]
    hits = critical_lines([line for fold in folds for line in fold.lines])
    if not hits:
        return list(pieces), 0
    shown = set(templates([piece.strip() for piece in pieces if isinstance(piece, str)]))
    result: list[Piece] = []
    back = start = at = 0
    for piece in pieces:
        if not isinstance(piece, Fold) or piece.told:
            result.append(piece)
            continue
        end = start + len(piece.lines)
        own: list[int] = []
        while at < len(hits) and hits[at] < end:
            own.append(hits[at] - start)
            at += 1
        start = end
        if not own or back >= most:
            result.append(piece)
            continue
        if piece.known:
            own = [index for index in own if is_report(piece.lines[index])]
        wanted = _new(piece.lines, own, shown, most - back)
        back += len(wanted)
        result.extend(_split(piece, wanted))
    return result, back


def keep_markers(pieces: Sequence[Piece]) -> list[Piece]:
    """Split folds around marker lines: what a reduced text says it lacks must not be counted as a line."""
    result: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, Fold):
            result.extend(_split(piece, [index for index, line in enumerate(piece.lines) if is_marker(line)]))
        else:
            result.append(piece)
    return result


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
