"""Trees of names drawn with guides (``│ ├─┬ name``), as package managers and ``tree`` print them."""

from __future__ import annotations

from token_saver.text.listings import WHOLE, room
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import Rx, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

_GUIDES = rx(r"[│├└─┬┼╰╭┐┌ \xa0]*[│├└╰─┬] ?|(?:[|`] |  )*[+`|\\]-+[+-]* ?|[| ]+$")


class Branch:
    """A line of a tree: how deep it stands, its name without the guides, and the line itself."""

    __slots__ = ("depth", "line", "name")

    def __init__(self, depth: int, name: str, line: str) -> None:
        self.depth = depth
        self.name = name
        self.line = line


def read_branches(lines: Sequence[str]) -> list[Branch]:
    """Read the lines of one or more trees; a line without a guide has depth 0, a line of guides alone has no name."""
    found: list[Branch] = []
    edges: list[int] = []
    for line in lines:
        guide = _GUIDES.match(line) if line[:1] in "│├└╰─|+`\\ \xa0" else None
        if guide is None or not guide.group().strip():
            edges = []
            found.append(Branch(0, line.rstrip(), line))
            continue
        width = len(guide.group().rstrip("─┬-+ \xa0"))
        name = line[guide.end() :].strip()
        if name:
            while edges and edges[-1] >= width:
                edges.pop()
            edges.append(width)
        found.append(Branch(len(edges), name, line))
    return found


def branches(lines: Sequence[str], noun: str, *, again: Rx, keep: Rx) -> list[Piece]:
    """Tell trees with a blank a level in place of the guides, in the room for their size.

    When that is too much, first the names go that *again* finds, because they stand elsewhere in full, then the deepest
    levels, told by their names as far as there is room. Lines in which *keep* is found stay.
    """
    rows = read_branches(lines)
    size = sum(len(row.name) + row.depth + 1 for row in rows)
    if size <= WHOLE:
        return _told(rows)
    space = room(size)
    repeated = [row for row in rows if row.depth and again.search(row.name) and not keep.search(row.name)]
    size -= sum(len(row.name) + row.depth + 1 for row in repeated)
    twice = set(map(id, repeated))
    deepest = _depth_that_fits([row for row in rows if id(row) not in twice], size, space)
    deeper = [row for row in rows if row.depth > deepest and id(row) not in twice and not keep.search(row.name)]
    gone = twice.union(map(id, deeper))
    told = _told([row for row in rows if id(row) not in gone])
    if deeper:
        left = max(space // 4, space - sum(len(row.name) + row.depth + 1 for row in rows if id(row) not in gone))
        names = _fitting(list(dict.fromkeys(row.name for row in deeper if row.name)), left)
        told.append(Fold([row.line for row in deeper], f"{noun} of a deeper level", known=True, names=names))
    if repeated:
        told.append(Fold([row.line for row in repeated], f"repeated {noun}", known=True, told=True))
    return told


def _told(rows: Sequence[Branch]) -> list[Piece]:
    """Tell each row without its guides; a line of guides alone goes with the row behind it."""
    told: list[Piece] = []
    bare: list[str] = []
    for row in rows:
        if not row.name and row.line.strip():
            bare.append(row.line)
        elif row.depth or bare:
            told.append(Recast(" " * row.depth + row.name, [*bare, row.line]))
            bare = []
        else:
            told.append(row.line)
    return [*told, *bare]


def _depth_that_fits(rows: Sequence[Branch], size: int, room: int) -> int:
    deepest = max((row.depth for row in rows), default=0)
    sizes = [0] * (deepest + 1)
    for row in rows:
        sizes[row.depth] += len(row.name) + row.depth + 1
    while deepest > 1 and size > room:
        size -= sizes[deepest]
        deepest -= 1
    return deepest


def _fitting(names: Sequence[str], room: int) -> str:
    shown: list[str] = []
    for name in names:
        room -= len(name) + 2
        if room < 0:
            return ", ".join([*shown, "…"])
        shown.append(name)
    return ", ".join(shown)
