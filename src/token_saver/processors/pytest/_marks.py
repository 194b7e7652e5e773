"""Marked lines: what each is worth, and the noun that will stand for it when there is no room."""

from __future__ import annotations

from token_saver.text import Fold, Recast, allowance, cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text import Piece

    Mark = tuple[int, str, str | Recast | list[str]]
    """Worth, noun, and what it is about: a line, lines told in fewer words, or lines that are never shown one by one."""
    Group = list[Mark]

ALWAYS = 11  # ids, verdicts, counts
REASON = 10  # the exception, the first line of an assertion
PLACE = 9  # where it failed: in the test, and at the bottom
STATEMENT = 8  # the statement that failed
FRAME = 7  # the user's frames on the way, lines of unknown kind, what a shortened reason leaves out
AGAIN = 6  # a reason that stands above, for which the short summary speaks
DETAIL = 6  # the rest of a statement, further lines of the reason, a failure word in captured output
CONTEXT = 5  # two lines of source above, arguments that say something
EDGE = 4  # both ends of captured output, the head of the function
REST = 2
NOISE = 1
NEVER = 0

SOURCE = "line of traceback"
LIBRARY = "line of library code"
OUTPUT = "line of captured output"
CODE = "told: code"
SAME = "line of the same traceback"
TOLD = "repeated line"
VERDICT = "verdict"

_TOLD = {CODE: SOURCE, LIBRARY: LIBRARY, SAME: SAME, TOLD: TOLD, VERDICT: VERDICT}
"""What is no report, or is told in brief or elsewhere, and the noun it is counted by: no line of it is brought back."""
_MARKER = 28
_LONG = 2000
_SHORT = 160


def budget(chars: int, failures: int) -> int:
    """Return how many characters of a run may stay: a base and a share for each failure, at most half of a short run."""
    return min(400 + chars // 2, 2000 + 168 * failures, max(8000, min(chars * 7 // 100, allowance(chars))))


def assemble(groups: Sequence[Group], room: int) -> Iterator[Piece]:
    """Keep the marks worth most that fit in *room*, in their order; each group ends with folds of what it lacks.

    One fold a group instead of one a gap: a traceback stays readable, and its marker stands where the reader leaves it.
    """
    level, left, longest = _level(groups, room)
    for group in groups:
        hidden: list[Mark] = []
        shown: list[Piece] = []
        for mark in group:
            worth, _, piece = mark
            if worth == level:
                left -= _length(piece)
            if (worth > level or (worth == level and left >= 0)) and not isinstance(piece, list):
                shown.append(_readable(piece, longest if worth == REASON else _LONG))
            else:
                hidden.append(mark)
        if _is_short(hidden):
            yield from _in_place(group, longest)
        else:
            yield from shown
            yield from _folds(hidden)


def _readable(piece: str | Recast, longest: int) -> Piece:
    """Cut the middle out of a line that no reader reads to its end."""
    text = piece if isinstance(piece, str) else piece.text
    if len(text) <= longest:
        return piece
    return Recast(cut(text, longest * 2 // 3, longest // 3), [piece] if isinstance(piece, str) else piece.lines)


def _is_short(hidden: Sequence[Mark]) -> bool:
    """Tell whether a marker would be longer than what it stands for."""
    left = _MARKER
    for _, _, piece in hidden:
        for part in piece if isinstance(piece, list) else (piece,):
            if not isinstance(part, str) or part.strip():
                left -= _length(part)
            if left < 0:
                return False
    return True


def _in_place(group: Group, longest: int) -> Iterator[Piece]:
    """Everything stays but blank lines."""
    for worth, _, piece in group:
        for part in piece if isinstance(piece, list) else (piece,):
            if isinstance(part, str) and not part.strip():
                yield Fold([part], "blank line")
            else:
                yield _readable(part, longest if worth == REASON else _LONG)


def _folds(hidden: Iterable[Mark]) -> Iterator[Piece]:
    folded: dict[str, list[str]] = {}
    for _, noun, piece in hidden:
        folded.setdefault(noun, []).extend(_lines(piece))
    for noun, lines in folded.items():
        yield Fold(lines, _TOLD.get(noun, noun), known=True, told=noun in _TOLD)


def _lines(piece: str | Recast | list[str]) -> Sequence[str]:
    return (piece,) if isinstance(piece, str) else piece if isinstance(piece, list) else piece.lines


def _level(groups: Sequence[Group], room: int) -> tuple[int, int, int]:
    """Return the worth of which only the first marks fit, the room that is left for them, and how long a reason may be.

    What always stays may take two thirds of the room and more; a third is left for the rest. No reason is left out: when
    they do not all fit, each loses its middle.
    """
    sizes = [0] * (ALWAYS + 1)
    reasons = 0
    for group in groups:
        for worth, _, piece in group:
            if worth:
                sizes[worth] += _length(piece)
                reasons += worth == REASON
    left = max(room - sizes[ALWAYS] - _MARKER * len(groups), room // 3)
    if sizes[REASON] > left:
        return PLACE, 0, max(_SHORT, left // reasons)
    for worth in range(REASON, NEVER, -1):
        if sizes[worth] > left:
            return worth, left, _LONG
        left -= sizes[worth]
    return NEVER, -1, _LONG


def _length(piece: str | Recast | list[str]) -> int:
    return 0 if isinstance(piece, list) else min(_LONG, len(piece if isinstance(piece, str) else piece.text)) + 1
