"""Long lists of named things with a version: every name and version as long as there is room, what else goes is told."""

from __future__ import annotations

from token_saver.text.markers import marker
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

WHOLE = 5000
BARE_WHOLE = 8000
ALWAYS = 2
ENDS = 200
MANY = 5
_CUT = "line of which name and version are shown"
_NAMED = "line of which the name is shown"


class Entry:
    """One thing of a list: *full* says all of its *lines*, *slim* its name and version, *name* and *version* apart.

    *odd* is set for a thing that an agent looks for (a rare state): what has to be said of it whatever the room.
    """

    __slots__ = ("full", "lines", "name", "odd", "slim", "version")

    def __init__(self, lines: Sequence[str], full: str, name: str, version: str, *, slim: str = "", odd: str = "") -> None:
        self.lines = lines
        self.full = full
        self.name = name
        self.version = version
        self.slim = odd or slim or f"{name} {version}".rstrip()
        self.odd = odd


def room(size: int) -> int:
    """Return how many characters of a list that takes *size* without padding may stay: names and versions of most."""
    return size if size <= WHOLE else WHOLE + min(size - WHOLE, 12_000) // 3 + max(0, size - 17_000) // 40


def listing(entries: Sequence[Entry]) -> list[Piece]:
    """Tell *entries* in the room for their size.

    In full; when that is too much by name and version, with both ends in full; then gathered by version; then single ones
    by name alone. A marker says how many lines are not shown in full.
    """
    if stays_whole(entries):
        return [_full(entry) for entry in entries]
    return _short(entries, room(sum(len(entry.full) + 1 for entry in entries)))


def stays_whole(entries: Sequence[Entry]) -> bool:
    """Tell whether *entries* are told in full: a list that says nothing but names and versions may be longer."""
    size = sum(len(entry.full) + 1 for entry in entries)
    return size <= WHOLE or (size <= BARE_WHOLE and all(len(entry.slim) >= len(entry.full) for entry in entries))


def _short(entries: Sequence[Entry], room: int) -> list[Piece]:
    slim = sum(len(entry.slim) + 1 for entry in entries)
    return _slimmed(entries, min(ENDS, (room - slim) // 2)) if slim <= room else _by_version(entries, room)


def found(entries: Sequence[Entry]) -> list[Piece]:
    """Tell what a search found: the first entries in full, others by name as long as there is room, the rest counted."""
    size = room(sum(len(entry.full) + 1 for entry in entries))
    last, left = 0, size if size <= WHOLE else size * 3 // 5
    while last < len(entries) and left > 0:
        left -= len(entries[last].full) + 1
        last += 1
    named, left = last, size - size * 3 // 5
    while named < len(entries) and left > 0:
        left -= len(entries[named].name) + 1
        named += 1
    if last + ALWAYS >= len(entries):
        return [_full(entry) for entry in entries]
    names = " ".join([*(entry.name for entry in entries[last:named]), *(["…"] if named < len(entries) else [])])
    return [*map(_full, entries[:last]), Fold(_lines(entries[last:]), _NAMED, known=True, names=names)]


def _full(entry: Entry) -> Piece:
    return entry.full if list(entry.lines) == [entry.full] else Recast(entry.full, entry.lines)


def _slimmed(entries: Sequence[Entry], spare: int) -> list[Piece]:
    first, last = _ends(entries, spare)
    middle = entries[first:last]
    told: list[Piece] = [_full(entry) for entry in entries[:first]]
    if middle:
        note = marker([(len(middle), _CUT, "")])
        told.append(Recast("\n".join([note, *(entry.slim for entry in middle)]), _lines(middle)))
    return [*told, *(_full(entry) for entry in entries[last:])]


def _ends(entries: Sequence[Entry], spare: int) -> tuple[int, int]:
    """Return how many entries from the start, and from which on to the end, can be told in full."""
    first, left = 0, spare
    while first < len(entries) and (left > 0 or first < ALWAYS):
        left -= len(entries[first].full) - len(entries[first].slim)
        first += 1
    last, left = len(entries), spare
    while last > first and (left > 0 or len(entries) - last < ALWAYS):
        left -= len(entries[last - 1].full) - len(entries[last - 1].slim)
        last -= 1
    return first, last


def _by_version(entries: Sequence[Entry], room: int) -> list[Piece]:
    """Tell both ends in full, and of the others a version once for all names that have it, as long as there is room."""
    ends, entries = [*entries[:ALWAYS], *entries[-ALWAYS:]], entries[ALWAYS:-ALWAYS]
    odd = [entry for entry in entries if entry.odd]
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if not entry.odd:
            groups.setdefault(entry.version, []).append(entry)
    room -= sum(len(entry.odd or entry.name) + 2 for entry in entries)
    shown: list[Entry] = [*odd]
    texts = [entry.odd for entry in odd]
    single: list[Entry] = []
    for version, members in sorted(groups.items(), key=lambda group: -len(group[1])):
        room -= len(version) + 2
        if len(members) < MANY and room < 0:
            single += members
            continue
        texts.append(f"{version}: {' '.join(entry.name for entry in members)}" if len(members) > 1 else members[0].slim)
        shown += members
    told = [_full(entry) for entry in ends[:ALWAYS]]
    if shown:
        told.append(Recast("\n".join([marker([(len(shown), _CUT, "")]), *texts]), _lines(shown)))
    if single:
        told.append(Fold(_lines(single), _NAMED, known=True, names=" ".join(entry.name for entry in single)))
    return [*told, *(_full(entry) for entry in ends[ALWAYS:])]


def _lines(entries: Sequence[Entry]) -> list[str]:
    return [line for entry in entries for line in entry.lines]
