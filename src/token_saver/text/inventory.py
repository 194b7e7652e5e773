"""What there is too much of to be shown row by row: exceptional rows whole, both ends, the names of all others by kind."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from token_saver.text.pieces import Piece

ENDS = 3
LEAST_ROOM = 300


class Item:
    """A row: *text* says all of *line*; *rank* above 0 makes it exceptional.

    *names* are pairs of a kind and what tells the row from others of it, the richest first; every row of a table has as
    many of them.
    """

    __slots__ = ("line", "names", "rank", "text")

    def __init__(self, line: str, text: str, names: Sequence[tuple[str, str]], rank: int = 0) -> None:
        self.line = line
        self.text = text
        self.names = names
        self.rank = rank

    def shown(self) -> Piece:
        """Return the row without its padding."""
        return self.line if self.text == self.line else Recast(self.text, [self.line])


def inventory(items: Sequence[Item], budget: int, noun: str = "row", share: float = 0.6) -> list[Piece]:
    """Tell *items* in about *budget* characters.

    Whole when they fit. Otherwise exceptional rows (higher ranks first) in *share* of the room with both ends, then the
    names of all others in one marker: every kind is named, of each as many names as there is room for.
    """
    if sum(len(item.text) + 1 for item in items) <= budget:
        return [item.shown() for item in items]
    whole = _whole(items, int(budget * share))
    rest = [item for index, item in enumerate(items) if index not in whole]
    if not rest:
        return [item.shown() for item in items]
    room = budget - sum(len(items[index].text) + 1 for index in whole)
    marker = Fold([item.line for item in rest], noun, known=True, names=_names(rest, max(room, LEAST_ROOM)), told=True)
    told: list[Piece] = []
    last = max((index for index in range(len(items)) if index not in whole), default=0)
    for index, item in enumerate(items):
        if index in whole:
            told.append(item.shown())
        elif index == last:
            told.append(marker)
    return told


def _whole(items: Sequence[Item], room: int) -> set[int]:
    """Choose the rows that are shown whole: ranks first, then the ends, as many as fit in *room* characters."""
    total = len(items)
    order = sorted(range(total), key=lambda index: (-items[index].rank, min(index, total - 1 - index)))
    chosen: set[int] = set()
    for index in order:
        is_end = min(index, total - 1 - index) < ENDS
        if not items[index].rank and not is_end:
            break
        if len(items[index].text) < room:
            room -= len(items[index].text) + 1
            chosen.add(index)
    return chosen


def _names(items: Sequence[Item], room: int) -> str:
    """Name *items* as richly as fits in *room*; at worst with a few names of each kind, then with some kinds only."""
    kinds: dict[str, dict[str, int]] = {}
    for step in range(max(len(item.names) for item in items)):
        kinds = _kinds(items, step)
        most = max(map(len, kinds.values()), default=0)
        told = _told(kinds, most)
        if len(told) <= room:
            return told
    low, high = 0, max(map(len, kinds.values()), default=0)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if len(_told(kinds, middle)) <= room else (low, middle - 1)
    told = _told(kinds, low)
    if len(told) <= room:
        return told
    return told[: told.rfind("; ", 0, room)] + "; …" if "; " in told[:room] else ""


def _kinds(items: Sequence[Item], step: int) -> dict[str, dict[str, int]]:
    kinds: dict[str, dict[str, int]] = {}
    for item in items:
        kind, name = item.names[min(step, len(item.names) - 1)]
        names = kinds.setdefault(kind, {})
        names[name] = names.get(name, 0) + 1
    return kinds


def _told(kinds: Mapping[str, Mapping[str, int]], each: int) -> str:
    return "; ".join([_kind(kind, names, each) for kind, names in kinds.items()])


def _kind(kind: str, names: Mapping[str, int], each: int) -> str:
    parts = [name if count == 1 else f"{name} ×{count}" for name, count in list(names.items())[:each] if name]
    left = sum(list(names.values())[each:]) + (names.get("", 0) if each else 0)
    if left > 0:
        parts.append(f"+{left}" if parts else str(left))
    text = ", ".join(parts)
    return f"{kind}: {text}" if kind and text else kind or text
