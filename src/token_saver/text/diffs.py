"""Unified and combined diffs: read without loss, then told in as many characters as the caller can spare.

The format is GNU's unified one with git's extensions (``diff --git``, modes, renames, binary notes) and git's combined one
(``diff --cc``, ``@@@``). Changed lines are kept as they are, with their mark in column 0; files and hunks keep their
headings. What goes first is context, then what a reader of a large change asks for last (``text.changes``).
"""

from __future__ import annotations

from token_saver.text.markers import cut
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text.pieces import Piece

LONG_LINE = 1000
SMALL = 1200
MARKER_COST = 28
CHANGE_MARKS = frozenset("+-\\")

_STARTS = ("diff --git ", "diff --cc ", "diff --combined ")
_HEAD = (
    "index ",
    "--- ",
    "+++ ",
    "old mode ",
    "new mode ",
    "mode ",
    "deleted file mode ",
    "new file mode ",
    "copy from ",
    "copy to ",
    "rename from ",
    "rename to ",
    "similarity index ",
    "dissimilarity index ",
    "Binary files ",
)
_HUNK = rx(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@|(@@@+) (?:-\d+(?:,\d+)? )+\+\d+(?:,\d+)? @@@+")
_MAY_START = rx(r"[d-]")
_BODY = rx(r"[ +\-\\]*")
_BINARY_PATCH = "GIT binary patch"
_BINARY_LINE = rx(r"(?:literal|delta) \d+$|[A-Za-z][!-~]{6,64}$|$")


class Hunk:
    """A heading (``@@ … @@``) with the lines below it.

    *marks* are the first characters of the lines, a blank for an empty line; *width* is the number of marks that each line
    has: two in a combined diff of two parents.
    """

    __slots__ = ("header", "lines", "marks", "width")

    def __init__(self, header: str, lines: Sequence[str], marks: str, width: int) -> None:
        self.header = header
        self.lines = lines
        self.marks = marks
        self.width = width

    def changes(self) -> list[bool]:
        """Tell for each line whether it was added, removed, or is a note of the tool."""
        if self.width == 1:
            return [mark in "+-\\" for mark in self.marks]
        return [not CHANGE_MARKS.isdisjoint(line[: self.width]) for line in self.lines]


class FileDiff:
    """What happened to one file: heading lines, the lines of a binary patch, hunks."""

    __slots__ = ("binary", "head", "hunks")

    def __init__(self, head: list[str], binary: Sequence[str], hunks: list[Hunk]) -> None:
        self.head = head
        self.binary = binary
        self.hunks = hunks

    @property
    def name(self) -> str:
        """The name of the file after the change, as the heading writes it."""
        first = self.head[0]
        if first.startswith("diff --git "):
            return first.rpartition(" b/")[2]
        if first.startswith(_STARTS):
            return first.split(" ", 2)[2]
        return self.head[-1][4:].partition("\t")[0]

    def told_head(self) -> list[str]:
        """Return the heading without what it says twice: the names of blobs, and of the file in ``---`` and ``+++``."""
        first = self.head[0]
        if not first.startswith(_STARTS):
            return self.head
        return [line for line in self.head if not _says_twice(first, line)]


def split(lines: Sequence[str]) -> Iterator[list[str] | FileDiff]:
    """Cut *lines* into the diffs of files and the lines between them, in order; nothing is lost."""
    marks = "".join([line[:1] or " " for line in lines])
    prose = 0
    found = _MAY_START.search(marks)
    while found is not None:
        at = found.start()
        if _starts_file(lines, at):
            if at > prose:
                yield list(lines[prose:at])
            file, at = _read_file(lines, marks, at)
            yield file
            prose = at
        else:
            at += 1
        found = _MAY_START.search(marks, at)
    if len(lines) > prose:
        yield list(lines[prose:])


def squeeze_diff(lines: Sequence[str], budget: int) -> list[Piece]:
    """Tell a text of diffs in about *budget* characters; lines that belong to no diff are kept.

    Context goes as soon as the text is not small; changed lines only when they do not fit.
    """
    parts = list(split(lines))
    told = squeeze_files([part for part in parts if isinstance(part, FileDiff)], budget)
    pieces: list[Piece] = []
    for part in parts:
        pieces.extend(part if isinstance(part, list) else next(told))
    return pieces


def squeeze_files(files: Sequence[FileDiff], budget: int) -> Iterator[list[Piece]]:
    """Yield the pieces of each file; together they take about *budget* characters."""
    chars = sum(map(_chars, files))
    if chars <= min(budget, SMALL):
        yield from (_whole(file) for file in files)
        return
    changed = changes_only(files, budget)
    if changed > budget:
        from token_saver.text.changes import outlined

        yield from outlined(files, budget)
    else:
        near = int(changed + _beside(files) <= min(budget, chars * 3 // 5))
        yield from (_unsurrounded(file, near) for file in files)


def changes_only(files: Iterable[FileDiff], most: int) -> int:
    """Return the characters of what is told when all context is folded; counting ends when they are more than *most*."""
    chars = 0
    for file in files:
        chars += _length(file.told_head())
        for hunk in file.hunks:
            chars += len(hunk.header) + MARKER_COST
            marked = zip(hunk.lines, hunk.changes(), strict=True)
            chars += sum([min(len(line), LONG_LINE) + 1 for line, is_change in marked if is_change])
        if chars > most:
            break
    return chars


def _chars(file: FileDiff) -> int:
    return _length(file.head) + _length(file.binary) + sum(len(hunk.header) + 1 + _length(hunk.lines) for hunk in file.hunks)


def _beside(files: Iterable[FileDiff]) -> int:
    """Return the characters of the lines of context that stand beside a change."""
    chars = 0
    for hunk in (hunk for file in files for hunk in file.hunks):
        close = zip(hunk.lines, hunk.changes(), _close(hunk.changes(), 1), strict=True)
        chars += sum([len(line) + 1 for line, is_change, is_close in close if is_close and not is_change])
    return chars


def head_pieces(file: FileDiff) -> Iterator[Piece]:
    """Yield the heading of *file* in short, and its binary patch as a count."""
    told = file.told_head()
    yield from told if len(told) == len(file.head) else [Recast("\n".join(told), file.head)]
    if file.binary:
        yield Fold(file.binary, "line of binary patch", told=True)


def shortened(line: str) -> Piece:
    """Return a changed line, without its middle when nobody reads it to its end."""
    return line if len(line) <= LONG_LINE else Recast(cut(line, LONG_LINE * 2 // 3, LONG_LINE // 3), [line])


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines)


def _says_twice(first: str, line: str) -> bool:
    if line.startswith("index "):
        return True
    return line[:4] in ("--- ", "+++ ") and (line[4:] == "/dev/null" or line[6:].rstrip("\t") in first)


def _starts_file(lines: Sequence[str], at: int) -> bool:
    line = lines[at]
    if line.startswith(_STARTS):
        return True
    return _starts_plain(lines, at + 1 if line.startswith("diff -") else at)


def _starts_plain(lines: Sequence[str], at: int) -> bool:
    """Tell whether ``---`` and ``+++`` with a hunk stand here: without the hunk they may be any text."""
    return (
        at + 2 < len(lines)
        and lines[at].startswith("--- ")
        and lines[at + 1].startswith("+++ ")
        and _HUNK.match(lines[at + 2]) is not None
    )


def _read_file(lines: Sequence[str], marks: str, at: int) -> tuple[FileDiff, int]:
    begin, total = at, len(lines)
    at += 1 if lines[at].startswith("diff ") else 2
    while at < total and lines[at].startswith(_HEAD):
        at += 1
    head_end = at
    if at < total and lines[at] == _BINARY_PATCH:
        at += 1
        while at < total and _BINARY_LINE.match(lines[at]):
            at += 1
    binary_end = at
    hunks, at = _read_hunks(lines, marks, at)
    return FileDiff(list(lines[begin:head_end]), lines[head_end:binary_end], hunks), at


def _read_hunks(lines: Sequence[str], marks: str, at: int) -> tuple[list[Hunk], int]:
    hunks: list[Hunk] = []
    while at < len(lines) and lines[at].startswith("@@"):
        found = _HUNK.match(lines[at])
        if found is None:
            break
        old, new, ats = found.groups()
        body = _BODY.match(marks, at + 1)
        end = body.end() if body is not None else at + 1
        if not ats:
            end = _end_of_hunk(marks, at + 1, end, 1 if old is None else int(old[:9]), 1 if new is None else int(new[:9]))
        hunks.append(Hunk(lines[at], lines[at + 1 : end], marks[at + 1 : end], len(ats) - 1 if ats else 1))
        at = end
    return hunks, at


def _end_of_hunk(marks: str, at: int, end: int, old: int, new: int) -> int:
    """Return where a hunk of *old* and *new* lines ends, *end* at the latest.

    Mostly all marks belong to it. Where they do not, lines have to be counted: a removed ``-- x`` looks like the heading of
    a file, and a blank line that follows the hunk like its context.
    """
    same = marks.count(" ", at, end)
    if marks.count("-", at, end) + same == old and marks.count("+", at, end) + same == new:
        return end
    while at < end and (old > 0 or new > 0):
        old -= marks[at] in " -"
        new -= marks[at] in " +"
        at += 1
    while at < end and marks[at] == "\\":
        at += 1
    return at


def _whole(file: FileDiff) -> list[Piece]:
    pieces = list(head_pieces(file))
    for hunk in file.hunks:
        pieces.append(hunk.header)
        pieces.extend(hunk.lines)
    return pieces


def _unsurrounded(file: FileDiff, near: int) -> list[Piece]:
    """Tell every changed line of *file*, with *near* lines of context on each side of a change."""
    pieces = list(head_pieces(file))
    for hunk in file.hunks:
        changes = hunk.changes()
        pieces.append(hunk.header)
        pieces.extend(_told_hunk(hunk.lines, changes, near) if True in changes else hunk.lines)
    return pieces


def _told_hunk(lines: Sequence[str], changes: list[bool], near: int) -> Iterator[Piece]:
    """Yield changed lines where they stood and gaps between them as counts; the outer context is one count at the end."""
    first = max(0, changes.index(True) - near)
    last = len(changes) - changes[::-1].index(True) + near
    gap: list[str] = []
    close = _close(changes, near)
    for at in range(first, min(last, len(lines))):
        if not close[at]:
            gap.append(lines[at])
            continue
        yield from _gap(gap)
        gap = []
        yield shortened(lines[at]) if changes[at] else lines[at]
    outer = [*lines[:first], *lines[last:]]
    if outer:
        yield Fold(outer, "line of context", told=True)


def _close(changes: list[bool], near: int) -> list[bool]:
    """Tell for each line whether it or a neighbour is a change."""
    if not near:
        return changes
    return [a or b or c for a, b, c in zip([False, *changes], changes, [*changes[1:], False], strict=False)]


def _gap(lines: list[str]) -> Iterator[Piece]:
    """A line or two between changes say more than their number does."""
    if len(lines) > 2:
        yield Fold(lines, "line of context", told=True)
    else:
        yield from lines
