"""Database clients and dumps."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, allowance, rx
from token_saver.text.columns import squeeze
from token_saver.text.critical import critical_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

WHOLE = 12_000
TAIL = 6
FEW = 8
MOST_ODD = 30

_RULE = rx(r"[-+|=─┼┬┴├┤┌┐└┘╞╪╡ ]*[-─═]{3}[-+|=─═┼┬┴├┤┌┐└┘╞╪╡ ]*$")
_ROW = rx(r".*[|│].*[|│]?")
_CELL = rx(r" *[|│] *| {2,}|\t")


class DatabaseProcessor(Family):
    """Headers, both ends of each table, rows unlike the others, errors and totals; other rows are counted, padding goes."""

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
    """Yield runs of rows with their middle counted, each in its share of *budget*; every other line stays."""
    index = 0
    is_below_rule = False
    while index < len(lines):
        end = index
        while end < len(lines) and _is_row(lines[end], is_below_rule):
            end += 1
        if end > index:
            yield from _rows(lines[index:end], budget * (end - index) // len(lines))
        if end < len(lines):
            is_below_rule = _RULE.match(lines[end]) is not None
            yield _squeezed(lines[end])
        index = end + 1


def _is_row(line: str, is_below_rule: bool) -> bool:
    """Tell whether *line* is a row: of cells between bars, or anything below a rule up to a blank line or the total."""
    if _RULE.match(line):
        return False
    return bool(_ROW.match(line)) or (is_below_rule and line.strip() != "" and line[:1] != "(")


def _rows(rows: Sequence[str], budget: int) -> Iterator[Piece]:
    """Yield the head of a table, of the rest the rows that differ from all others, and its tail."""
    room = budget
    head = 0
    while head < len(rows) and room > 0:
        room -= len(squeeze(rows[head])) + 1
        head += 1
    if head + TAIL >= len(rows):
        yield from map(_squeezed, rows)
        return
    yield from map(_squeezed, rows[:head])
    odd = _odd(rows)
    for index in range(head, len(rows) - TAIL):
        yield _squeezed(rows[index]) if index in odd else Fold([rows[index]], "row", known=True)
    yield from map(_squeezed, rows[-TAIL:])


def _odd(rows: Sequence[str]) -> set[int]:
    """Return the rows with a value that few have, in a column of a few words such as a state; failures come first."""
    columns: dict[int, dict[str, list[int]]] = {}
    for index, row in enumerate(rows):
        for column, cell in enumerate(_CELL.split(row.strip())):
            columns.setdefault(column, {}).setdefault(cell, []).append(index)
    odd: list[int] = []
    for values in columns.values():
        if 1 < len(values) <= FEW:
            odd += [index for where in values.values() if len(where) <= max(1, len(rows) // 50) for index in where]
    return {*odd[:MOST_ODD], *critical_lines(rows)[:MOST_ODD]}


def _squeezed(line: str) -> Piece:
    """Leave out the blanks that align columns; a rule under a header needs no length."""
    if _RULE.match(line):
        return Recast(line[:3].strip() or "---", [line]) if len(line) > 3 else line
    short = squeeze(line)
    return Recast(short, [line]) if short != line else line
