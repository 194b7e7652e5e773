"""Programs that print a table of what there is: processes, sockets, units, containers, pods."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._table_rows import Columns, is_header, is_title, squeezed
from token_saver.processors.generic import reduce
from token_saver.text import Recast, allowance, rx
from token_saver.text.columns import squeeze
from token_saver.text.inventory import inventory
from token_saver.text.logs import is_log, read_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_PAIR = rx(r"[ \t]*\w[^:]{0,60}:[ \t]{2,}\S")
LEAST_ROWS = 3
LEAST_ROOM = 400
LARGE = 40_000


class TableProcessor(Family):
    """Headers, exceptional rows whole, both ends; of the other rows the names by kind, padding goes."""

    name = "tables"
    priority = 36
    commands = (
        *("ps", "lsof", "ss", "netstat", "systemctl", "mount", "df", "lsblk", "top", "free", "vmstat", "iostat", "who", "w"),
        *("last", "lastb", "findmnt", "route", "arp", "lsmod", "ip", "pidstat", "mpstat"),
        *("tkn", "flux", "doctl", "flyctl", "vercel"),
        *("pm2", "supervisorctl", "virsh", "lxc", "pvs", "vgs", "lvs"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return read_tables(capture.lines)


def read_tables(lines: Sequence[str]) -> Iterable[Piece]:
    """Read lines that may hold aligned tables: those squeezed and, over the allowance, told by names; logs as logs."""
    chars = sum(map(len, lines)) + len(lines)
    if is_log(lines):
        return read_log(lines)
    heads = [index for index, line in enumerate(lines) if is_header(line)]
    if not heads:
        return _between(lines)
    said = chars if chars <= LARGE else sum(len(squeezed(line)) + 1 for line in lines)
    return _read(lines, heads, allowance(said))


def _read(lines: Sequence[str], heads: Sequence[int], budget: int) -> Iterator[Piece]:
    """Yield tables in their share of *budget*; a table ends at a blank line, or above the title of the next one."""
    done = 0
    for head, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        if head < done:
            continue
        yield from _between(lines[done:head])
        end = _end(lines, head, following)
        share = budget * (end - head) // len(lines) + LEAST_ROOM
        yield from _table(lines[head:end], share)
        done = end
    yield from _between(lines[done:])


def _between(lines: Sequence[str]) -> Iterable[Piece]:
    pieces = [_pair(line) for line in lines]
    shown = sum(len(piece.text if isinstance(piece, Recast) else line) + 1 for piece, line in zip(pieces, lines, strict=True))
    return pieces if shown <= allowance(sum(map(len, lines)) + len(lines)) else reduce(lines)


def _end(lines: Sequence[str], head: int, following: int) -> int:
    end = head + 1
    while end < following and lines[end].strip():
        end += 1
    if end == following < len(lines) and is_title(lines[end - 1]):
        end -= 1
    return end


def _table(lines: Sequence[str], share: int) -> Iterator[Piece]:
    yield _shown(lines[0])
    if len(lines) <= LEAST_ROWS:
        yield from map(_shown, lines[1:])
        return
    columns = Columns(lines[0])
    yield from inventory([columns.item(line) for line in lines[1:]], share)


def _pair(line: str) -> Piece:
    """Leave out the blanks that align the values of names; the depth of a line stays."""
    text = squeeze(line) if _PAIR.match(line) or is_header(line) else line
    return Recast(text, [line]) if text != line else line


def _shown(line: str) -> Piece:
    text = squeezed(line)
    return Recast(text, [line]) if text != line else line
