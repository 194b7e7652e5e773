"""Trees of names drawn with guides (``│ ├─┬ name``), as package managers and ``tree`` print them."""

from __future__ import annotations

from token_saver.text.listings import WHOLE, room
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece
    from token_saver.text.rx import Rx

    Branch = tuple[int, str, str]
    """A line of a tree: how deep it stands, its name without the guides, the line itself."""

_DRAWN = "│├└─┬┼╰╭┐┌ \xa0"
_ASCII = rx(r"(?:[|`] |  )*[+`|\\]-+[+-]* ?|[| ]+$")


def read_branches(lines: Sequence[str]) -> list[Branch]:
    """Read the lines of one or more trees; a line without a guide has depth 0, a line of guides alone has no name."""
    found: list[Branch] = []
    columns: list[int] = []
    for line in lines:
        start = _start(line)
        if not start:
            columns = []
            found.append((0, line.rstrip(" "), line))
            continue
        name = line[start:].strip(" ")
        if name:
            while columns and columns[-1] >= start:
                columns.pop()
            columns.append(start)
        found.append((len(columns), name, line))
    return found


def _start(line: str) -> int:
    """Return where the name begins behind its guides; 0 when there are none."""
    first = line[:1]
    if first in _DRAWN and first:
        start = len(line) - len(line.lstrip(_DRAWN))
        return start if line[:start].strip(" \xa0") else 0
    guide = _ASCII.match(line) if first in "+|`\\" else None
    return guide.end() if guide is not None and guide.group().strip() else 0


def branches(lines: Sequence[str], noun: str, *, again: tuple[str, ...] = (), keep: Rx | None = None) -> list[Piece]:
    """Tell trees with a blank a level in place of the guides, in the room for their size.

    When that is too much, first the names go that end in one of *again*, because they stand elsewhere in full, then the
    deepest levels, told by their names as far as there is room. Names in which *keep* is found stay.
    """
    rows = read_branches(lines)
    size = _size(rows)
    if size <= WHOLE:
        return _told(rows)
    space = room(size)
    kept = _kept(rows, keep)
    repeated = {at for at, (depth, name, _) in enumerate(rows) if depth and name.endswith(again)} - kept
    deepest = _depth_that_fits([row for at, row in enumerate(rows) if at not in repeated], space)
    deeper = {at for at, row in enumerate(rows) if row[0] > deepest} - kept - repeated
    shown = [row for at, row in enumerate(rows) if at not in repeated and at not in deeper]
    told = _told(shown)
    if deeper:
        names = dict.fromkeys(rows[at][1] for at in sorted(deeper) if rows[at][1])
        said = _fitting(list(names), max(space // 4, space - _size(shown)))
        told.append(Fold([rows[at][2] for at in sorted(deeper)], f"{noun} of a deeper level", known=True, names=said))
    if repeated:
        told.append(Fold([rows[at][2] for at in sorted(repeated)], f"repeated {noun}", known=True, told=True))
    return told


def _size(rows: Sequence[Branch]) -> int:
    return sum([depth + len(name) for depth, name, _ in rows]) + len(rows)


def _kept(rows: Sequence[Branch], keep: Rx | None) -> set[int]:
    if keep is None or not keep.search("\n".join([name for _, name, _ in rows])):
        return set()
    return {at for at, (_, name, _) in enumerate(rows) if keep.search(name)}


def _told(rows: Sequence[Branch]) -> list[Piece]:
    """Tell each row without its guides; a line of guides alone goes with the row behind it."""
    told: list[Piece] = []
    bare: list[str] = []
    for depth, name, line in rows:
        if not name and line.strip():
            bare.append(line)
        elif depth or bare:
            told.append(Recast(" " * depth + name, [*bare, line]))
            bare = []
        else:
            told.append(line)
    return [*told, *bare]


def _depth_that_fits(rows: Sequence[Branch], space: int) -> int:
    deepest = max([depth for depth, _, _ in rows], default=0)
    sizes = [0] * (deepest + 1)
    for depth, name, _ in rows:
        sizes[depth] += len(name) + depth + 1
    size = sum(sizes)
    while deepest > 1 and size > space:
        size -= sizes[deepest]
        deepest -= 1
    return deepest


def _fitting(names: Sequence[str], space: int) -> str:
    shown: list[str] = []
    for name in names:
        space -= len(name) + 2
        if space < 0:
            return ", ".join([*shown, "…"])
        shown.append(name)
    return ", ".join(shown)
