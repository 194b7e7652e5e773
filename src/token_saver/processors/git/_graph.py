"""``git log --graph`` with whole commits: the drawing stays, each commit takes one line of it."""

from __future__ import annotations

from token_saver.processors.git._commits import HASH, Commit, short_date
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

_COMMIT = rx(r"[|/\\_ .-]*\*[|/\\_ .-]* (?=commit [0-9a-f]{7,64}(?: \(|$))")
_HEADING = rx(r"(?:Author|AuthorDate|Commit|CommitDate|Date|Merge): ")
_DRAWING = "|/\\_ "


def told_graph(lines: Sequence[str], room: int, most: int) -> Iterator[Piece]:
    """Yield hash, day, author and subject of each commit behind its place in the drawing.

    Messages stay if all fits in *room*; lines beyond *most* characters are counted.
    """
    starts = [at for at, line in enumerate(lines) if _COMMIT.match(line)]
    blocks = [_Block(lines[start:end]) for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    keeps = sum(len(block.line.text) + 1 + sum(map(len, block.rest)) for block in blocks) <= room
    gone: list[str] = []
    yield from lines[: starts[0] if starts else None]
    for start, block in zip(starts, blocks, strict=True):
        most -= len(block.line.text) + 1
        if most < 0:
            yield Fold(lines[start:], "older line", told=True)
            break
        yield block.line
        yield from (line for line in block.rest if keeps or not _says(line))
        gone += [line for line in block.rest if not keeps and _says(line)]
    yield Fold(gone, "line of message", told=True)


def _says(line: str) -> bool:
    """Tell whether *line* says more than the drawing does."""
    return bool(line.strip(_DRAWING))


class _Block:
    """A commit with its part of the drawing: the line that tells it, and the lines below that say something else."""

    __slots__ = ("line", "rest")

    def __init__(self, lines: Sequence[str]) -> None:
        place = _COMMIT.match(lines[0])
        drawing = "" if place is None else place.group()
        head = [lines[0].removeprefix(drawing)]
        said = [lines[0]]
        subject = ""
        self.rest: list[str] = []
        for line in lines[1:]:
            text = line.lstrip(_DRAWING)
            if _HEADING.match(text) and not subject:
                head.append(text)
            elif not subject and text:
                subject = text
            elif text or "/" in line or "\\" in line:
                self.rest.append(line)
                continue
            said.append(line)
        commit = Commit(head, [], [])
        what = f"{commit.hash[:HASH]}{commit.decoration} {short_date(commit.date)} {commit.author}: {subject}"
        self.line = Recast((drawing + what).rstrip(), said)
