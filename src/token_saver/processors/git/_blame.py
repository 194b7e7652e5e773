"""Blame: neighbouring lines of one commit share a heading with its hash, author and day."""

from __future__ import annotations

from token_saver.processors.git._budget import length
from token_saver.text import select
from token_saver.text.code_worth import worth
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

MOST = 50_000

_LINE = rx(r"(\^?[0-9a-f]{7,64}) (?:(\S+) +)?\((.{1,200}?) +(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d [+-]\d{4} +(\d+)\)(?: (.*))?$")


class _Row:
    """One line of the file with who wrote it."""

    __slots__ = ("commit", "line", "text", "words")

    def __init__(self, line: str, groups: Sequence[str | None]) -> None:
        self.line = line
        self.commit, path, author, day, number, text = (group or "" for group in groups)
        self.words = " ".join(word for word in (self.commit, path, f"({author} {day})") if word)
        self.text = f"{number}) {text}".rstrip()


def told_blame(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield a piece for each run of lines of one commit; who wrote them is said where the commit is first met.

    Of a very long file the lines that say most stay (``changes.worth``).
    """
    told: set[str] = set()
    run: list[_Row] = []
    for piece in _chosen(lines):
        row = _row(piece)
        if run and (row is None or row.words != run[0].words):
            yield _told_run(run, told)
            run = []
        if row is None:
            yield piece
        else:
            run.append(row)
    if run:
        yield _told_run(run, told)


def _chosen(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield the lines that stay, and gaps as folds; a word of failure in the file is no failure of the command."""
    values = [_value(line) for line in lines] if length(lines) > MOST else None
    for piece in select(lines, MOST, "line", value=values):
        yield Fold(piece.lines, "line", told=True) if isinstance(piece, Fold) else piece


def _row(piece: Piece) -> _Row | None:
    found = _LINE.match(piece) if isinstance(piece, str) else None
    return None if found is None else _Row(found.string, found.groups())


def _value(line: str) -> int:
    found = _LINE.match(line)
    text = (found.group(6) or "").strip() if found is not None else line.strip()
    return worth(text) if text else 0


def _told_run(run: Sequence[_Row], told: set[str]) -> Recast:
    first = run[0]
    head = first.commit if first.words in told else first.words
    told.add(first.words)
    return Recast("\n".join([head, *(row.text for row in run)]), [row.line for row in run])
