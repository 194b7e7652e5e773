"""Readers split lines into shapes and lose nothing."""

from __future__ import annotations

from token_saver.text.rx import Rx, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")
    Key = TypeVar("Key", bound=Hashable)


class Section:
    """A heading with the lines below it; *name* is "" for what stands before the first heading."""

    __slots__ = ("lines", "name")

    def __init__(self, name: str, lines: list[str]) -> None:
        self.name = name
        self.lines = lines


class Heads:
    """Headings by name: ``Heads({"failures": r"=+ FAILURES =+"})``, tried in order at the start of a line."""

    __slots__ = ("names", "pattern")

    def __init__(self, heads: Mapping[str, str]) -> None:
        self.names = {f"h{i}": name for i, name in enumerate(heads)}
        self.pattern = rx("|".join(f"(?:{head})(?P<h{i}>)" for i, head in enumerate(heads.values())), depth=2)

    def name(self, line: str) -> str | None:
        """Return the name of the heading that *line* is, if it is one."""
        found = self.pattern.match(line)
        return None if found is None else self.names[found.lastgroup or ""]


def sections(lines: Iterable[str], heads: Heads) -> Iterator[Section]:
    """Cut *lines* at headings; each heading is the first line of its section."""
    current = Section("", [])
    for line in lines:
        name = heads.name(line)
        if name is not None:
            if current.lines:
                yield current
            current = Section(name, [])
        current.lines.append(line)
    if current.lines:
        yield current


def blocks(lines: Iterable[str], start: Rx) -> Iterator[list[str]]:
    """Cut *lines* into records that begin where *start* matches; what stands before the first is a block too."""
    block: list[str] = []
    for line in lines:
        if block and start.match(line):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    """Cut *lines* at blank lines; a blank line ends the paragraph it follows."""
    block: list[str] = []
    for line in lines:
        block.append(line)
        if not line.strip():
            yield block
            block = []
    if block:
        yield block


def group(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Gather items by key, in order of first sight."""
    found: dict[Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


class Row:
    """A line of a table: its cells by column name, and the line itself."""

    __slots__ = ("cells", "line")

    def __init__(self, line: str, cells: dict[str, str]) -> None:
        self.line = line
        self.cells = cells

    def get(self, column: str) -> str:
        """Return the cell under *column*, "" where there is none."""
        return self.cells.get(column, "")


def table(lines: Sequence[str]) -> list[Row]:
    """Read an aligned table whose first line is the header; columns start where header words do.

    Header words are told apart by two blanks or more (or a tab), so ``CONTAINER ID`` is one name. A cell that starts
    left of its column, as right-aligned numbers do, is found by the blanks around it.
    """
    if not lines:
        return []
    names, starts = _columns(lines[0])
    return [Row(line, dict(zip(names, _cells(line, starts), strict=True))) for line in lines[1:]]


_GAP = rx(r" {2,}|\t+")


def _columns(header: str) -> tuple[list[str], list[int]]:
    names: list[str] = []
    starts: list[int] = []
    position = 0
    for part in _GAP.split(header):
        if part.strip():
            at = header.index(part, position)
            names.append(part.strip())
            starts.append(at)
            position = at + len(part)
    return names, starts


def _cells(line: str, starts: list[int]) -> list[str]:
    cells: list[str] = []
    begin = 0
    for following in [*starts[1:], None]:
        if following is None:
            cells.append(line[begin:].strip())
            break
        end = _edge(line, following)
        cells.append(line[begin:end].strip())
        begin = end
    return cells


def _edge(line: str, start: int) -> int:
    """Return where the cell before column *start* ends: move left out of a word that reaches over the edge."""
    at = min(start, len(line))
    while 0 < at < len(line) and line[at - 1] not in " \t" and line[at] not in " \t":
        at -= 1
    return at if at or not line[:1].strip() else min(start, len(line))
