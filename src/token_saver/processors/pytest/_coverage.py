"""The coverage table of pytest-cov: files with missing lines stay, full ones are counted."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.text import Recast, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

NOUN = "row of coverage"
FULL = "row of 100%"
HEADING = rx(r"[_-]+ coverage: .* [_-]+$")
_ROW = rx(r"(\S.*?) +(\d+(?: +\d+){1,4}) +(\d+(?:\.\d+)?)%(?: +(\S.*))?$")
_RULE = rx(r"-{10,}$")
_SHOWN = 40


def mark(lines: Sequence[str]) -> Iterator[Mark]:
    """Mark the lines of the part."""
    rows = 0
    for line in lines:
        found = _ROW.match(line)
        if found is not None:
            rows += 1
            yield _row(line, found.group(1), found.group(3), rows)
        elif _RULE.match(line) or not line.strip():
            yield m.NEVER, NOUN, line
        else:
            text = " ".join(line.strip("_- ").split()) if HEADING.match(line) else " ".join(line.split())
            yield (m.CONTEXT if HEADING.match(line) else m.STATEMENT), NOUN, _shorter(line, text)


def _row(line: str, name: str, percent: str, rows: int) -> Mark:
    piece = _shorter(line, " ".join(line.split()))
    if name == "TOTAL":
        return m.ALWAYS, NOUN, piece
    if percent in ("100", "100.0", "100.00"):
        return m.NEVER, FULL, piece
    return (m.ALWAYS if rows <= _SHOWN else m.DETAIL), NOUN, piece


def _shorter(line: str, text: str) -> str | Recast:
    return Recast(text, [line]) if len(text) < len(line) else line
