"""What a family's reading yields: kept lines, folds that stand for lines, and lines told in fewer words.

A *piece* is one of

* a ``str``: a line of the capture, kept as it was;
* ``Fold(lines, noun)``: lines that will be shown as a count in a marker; they ride inside, so that they can be
  counted, brought back when one of them matters, and recalled;
* ``Recast(text, lines)``: *text* says all that *lines* said, by leaving words out (padding, a repeated path).

No line of the capture leaves the ledger: kept lines plus the lines inside folds and recasts are the capture's lines.
"""

from __future__ import annotations

from token_saver.text import markers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Fold:
    """Lines that are shown as a number.

    *noun* names one of them ("passing test", "line of banner"). *known* says that the lines were recognised by their
    exact shape, so that a word like "error" inside one is its content and no report; a fold made by position alone is
    not known. *names* is shown behind the count when names are what the reader will ask for. *told* says that the result
    shows the same elsewhere (a repeated traceback), so that no line of it is brought back.
    """

    __slots__ = ("known", "lines", "names", "noun", "told")

    def __init__(self, lines: Sequence[str], noun: str, *, known: bool = False, names: str = "", told: bool = False) -> None:
        self.lines = lines
        self.noun = noun
        self.known = known
        self.names = names
        self.told = told

    def __repr__(self) -> str:
        return f"Fold({len(self.lines)} × {self.noun!r})"


class Recast:
    """One or more lines of *text* that say all of *lines* in fewer words."""

    __slots__ = ("lines", "text")

    def __init__(self, text: str, lines: Sequence[str]) -> None:
        self.text = text
        self.lines = lines

    def __repr__(self) -> str:
        return f"Recast({self.text!r}, {len(self.lines)} lines)"


if TYPE_CHECKING:
    Piece = str | Fold | Recast


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Join neighbouring folds of one kind, so that later steps handle a few long folds and not many short ones."""
    made: list[Piece] = []
    last: Fold | None = None
    lines: list[str] = []
    for piece in pieces:
        if not isinstance(piece, Fold):
            made.append(piece)
            last = None
        elif last is not None and _alike(last, piece):
            lines.extend(piece.lines)
        else:
            lines = list(piece.lines)
            last = Fold(lines, piece.noun, known=piece.known, names=piece.names, told=piece.told)
            made.append(last)
    return made


def exact(pieces: Iterable[Piece]) -> list[Piece]:
    """Let the lines of *pieces* be shown as they are, blank ones too: in a document they may be part of a value."""
    made: list[Piece] = []
    run: list[str] = []
    for piece in [*pieces, None]:
        if isinstance(piece, str):
            run.append(piece)
            continue
        if run:
            made.append(Recast("\n".join(run), run))
            run = []
        if piece is not None:
            made.append(piece)
    return made


def _alike(one: Fold, other: Fold) -> bool:
    return one.noun == other.noun and one.known == other.known and one.told == other.told and not one.names and not other.names


def count_lines(pieces: Iterable[Piece]) -> int:
    """Return how many lines of the capture *pieces* account for."""
    return sum(1 if isinstance(piece, str) else len(piece.lines) for piece in pieces)


def omissions(pieces: Iterable[Piece]) -> list[tuple[int, str]]:
    """Return (count, noun) for every fold that stands for something, in order."""
    return [(weight, piece.noun) for piece in pieces if isinstance(piece, Fold) and (weight := _weight(piece))]


def render(pieces: Iterable[Piece]) -> list[str]:
    """Return the lines that the reader sees.

    Neighbouring folds share a marker, with one count a noun. A marker that would be longer than what it stands for is
    not used, and neither is a recast: the lines themselves are shown. Runs of blank lines become one.
    """
    shown: list[str] = []
    waiting: list[Fold] = []
    for piece in pieces:
        if isinstance(piece, Fold):
            if piece.lines:
                waiting.append(piece)
            continue
        if waiting and not (isinstance(piece, str) and not piece.strip()):
            _show_folds(shown, waiting)
            waiting = []
        if isinstance(piece, str):
            _show(shown, piece, bool(waiting))
        elif len(piece.text) < _length(piece.lines):
            shown.extend(piece.text.split("\n"))
        else:
            shown.extend(piece.lines)
    if waiting:
        _show_folds(shown, waiting)
    while shown and not shown[-1].strip():
        shown.pop()
    return shown


def _show(shown: list[str], line: str, fold_waits: bool) -> None:
    if line.strip() or (shown and shown[-1].strip() and not fold_waits):
        shown.append(line)


def _show_folds(shown: list[str], folds: list[Fold]) -> None:
    counts: dict[str, list[int | str]] = {}
    length = 0
    for fold in folds:
        length += _length(fold.lines)
        row = counts.setdefault(fold.noun, [0, ""])
        row[0] = int(row[0]) + _weight(fold)
        row[1] = f"{row[1]}, {fold.names}" if row[1] and fold.names else row[1] or fold.names
    triples = [(int(count), noun, str(names)) for noun, (count, names) in counts.items() if count]
    if not triples:
        return
    mark = markers.marker(triples)
    if len(mark) < length:
        while shown and not shown[-1].strip():
            shown.pop()
        shown.append(mark)
        return
    for fold in folds:
        for line in fold.lines:
            _show(shown, line, False)


def _weight(fold: Fold) -> int:
    return sum(map(bool, map(str.strip, fold.lines)))


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines) - 1
