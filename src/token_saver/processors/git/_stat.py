"""Rows of changes: ``--stat``, and the lines of created, deleted and renamed files below it."""

from __future__ import annotations

from token_saver.processors.git._names import folders, one_of_a_pattern
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from token_saver.text.pieces import Piece

ROOM = 20_000
LONG = 100

_COUNTED = rx(r"\d+(?: [+-]+)?$|Bin\b|Unmerged$")
_NUMSTAT = rx(r"(?:\d+|-)\t(?:\d+|-)\t(.+)")
_NAME_STATUS = rx(r"[MADTUX]\t(.+)|[RC]\d+\t.+\t(.+)")
_RAW = rx(r":\d{6} \d{6} [0-9a-f.]+ [0-9a-f.]+ [A-Z]\d*\t(.+)")
_MODE_LINE = rx(r" (create|delete) mode (\d{6}) (\S+)$")


def is_row(line: str) -> bool:
    """Tell whether *line* is a row of ``--stat``."""
    if line[:1] != " " or " | " not in line:
        return False
    return _COUNTED.match(line.rpartition(" | ")[2].lstrip()) is not None


def row_name(row: str) -> str:
    """Return the file that a row of ``--stat`` names."""
    return row.rpartition(" | ")[0].strip()


def changed_name(line: str) -> str | None:
    """Return the file that a row names (``--stat``, ``--numstat``, ``--name-status``, ``--raw``); None for another line."""
    if line[:1] == " ":
        return row_name(line) if is_row(line) else None
    if "\t" not in line:
        return None
    found = _NUMSTAT.match(line) or _NAME_STATUS.match(line) or _RAW.match(line)
    return None if found is None else found.group(found.lastindex or 1)


def told_row(line: str) -> str:
    """Return a row without padding, its bar as signs: ``rich/json.py | 12 +-``."""
    name, _, counted = line.rpartition(" | ")
    number, _, bar = counted.strip().partition(" ")
    if not number.isdigit():
        return f"{name.strip()} | {counted.strip()}"
    signs = "".join(sign for sign in "+-" if sign in bar)
    return f"{name.strip()} | {number}{' ' if signs else ''}{signs}"


def told_rows(rows: Sequence[str]) -> Iterator[Piece]:
    """Yield every row in short; of a long table names of one pattern are counted, of a very long one the smallest changes."""
    kept = list(range(len(rows))) if len(rows) < LONG else one_of_a_pattern([row_name(row) for row in rows])
    told = {index: told_row(rows[index]) for index in kept}
    if sum(map(len, told.values())) + len(told) > ROOM:
        kept = _largest(told, ROOM * 4 // 5)
    yield from (Recast(told[index], [rows[index]]) for index in kept)
    shown = set(kept)
    rest = [row for index, row in enumerate(rows) if index not in shown]
    yield Fold(rest, "file", told=True, names=folders(map(row_name, rest)))


def _largest(told: Mapping[int, str], room: int) -> list[int]:
    """Return the rows that fit in *room*: renamed files first, then the greater the change the earlier."""
    kept: list[int] = []
    for index in sorted(told, key=lambda at: (" => " not in told[at], -_number(told[at]), at)):
        room -= len(told[index]) + 1
        if room < 0:
            break
        kept.append(index)
    return sorted(kept)


def _number(told: str) -> int:
    digits = told.rpartition(" | ")[2].partition(" ")[0]
    return int(digits[:9]) if digits.isdigit() else 0


def told_modes(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield neighbouring ``create mode 100644 x`` lines with the words they share written once."""
    start = 0
    shapes = [_shape(line) for line in lines]
    for at in range(1, len(lines) + 1):
        if at < len(lines) and shapes[at] is not None and shapes[at] == shapes[start]:
            continue
        block = lines[start:at]
        if len(block) > 1 and shapes[start]:
            yield Recast(" ".join([block[0], *(line.rpartition(" ")[2] for line in block[1:])]), block)
        else:
            yield from block
        start = at


def _shape(line: str) -> tuple[str, ...] | None:
    found = _MODE_LINE.match(line)
    return None if found is None else found.groups()[:2]
