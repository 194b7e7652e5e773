"""Database clients and dumps."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, allowance, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

WHOLE = 12_000
TAIL = 6

_RULE = rx(r"[-+|=─┼┬┴├┤┌┐└┘╞╪╡ ]*[-─═]{3}[-+|=─═┼┬┴├┤┌┐└┘╞╪╡ ]*$")
_ROW = rx(r".*[|│].*[|│]?")
_GAP = rx(r" {2,}")


class DatabaseProcessor(Family):
    """Headers, both ends of each table, errors, hints and totals; rows between them are counted, padding goes."""

    name = "database"
    priority = 38
    commands = (
        *("psql", "mysql", "mariadb", "sqlite3", "duckdb", "mycli", "pgcli", "litecli", "clickhouse-client", "cqlsh"),
        *("pg_dump", "mysqldump", "pg_restore", "redis-cli", "mongosh", "pgbench"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        if not any(_RULE.match(line) for line in capture.lines[:200]):
            return capture.lines if len(capture.text) <= WHOLE else reduce(capture.lines)
        budget = allowance(len(capture.text))
        return capture.lines if len(capture.text) <= budget else _tables(capture.lines, budget)


def _tables(lines: Sequence[str], budget: int) -> Iterator[Piece]:
    """Yield runs of rows with their middle counted; every other line stays."""
    index = 0
    while index < len(lines):
        end = index
        while end < len(lines) and _ROW.match(lines[end]) and not _RULE.match(lines[end]):
            end += 1
        if end > index:
            yield from _rows(lines[index:end], budget)
        if end < len(lines):
            yield _squeezed(lines[end])
        index = end + 1


def _rows(rows: Sequence[str], budget: int) -> Iterator[Piece]:
    room = budget
    head = 0
    while head < len(rows) and room > 0:
        room -= len(_GAP.sub(" ", rows[head])) + 1
        head += 1
    if head + TAIL >= len(rows):
        yield from map(_squeezed, rows)
        return
    yield from map(_squeezed, rows[:head])
    yield Fold(rows[head:-TAIL], "row", known=True)
    yield from map(_squeezed, rows[-TAIL:])


def _squeezed(line: str) -> Piece:
    """Leave out the blanks that align columns; a rule under a header needs no length."""
    if _RULE.match(line):
        return Recast(line[:3].strip() or "---", [line]) if len(line) > 3 else line
    short = _GAP.sub(" ", line.rstrip())
    return Recast(short, [line]) if short != line else line
