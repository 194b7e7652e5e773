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
_RULE = rx(r"-{10,}$")
_SHOWN = 40


def mark(lines: Sequence[str]) -> Iterator[Mark]:
    """Mark the lines of the part."""
    rows = 0
    for line in lines:
        words = line.split()
        at = _percent(words)
        if at:
            rows += 1
            yield _row(line, words, words[at], rows)
        elif not words or _RULE.match(line):
            yield m.NEVER, NOUN, line
        else:
            heading = HEADING.match(line) is not None
            text = " ".join(line.strip("_- ").split()) if heading else " ".join(words)
            yield (m.CONTEXT if heading else m.STATEMENT), NOUN, _shorter(line, text)


def _percent(words: Sequence[str]) -> int:
    """Return where the percentage of a row stands, behind two counts or more; 0 when it is no row."""
    for at in range(3, min(len(words), 12)):
        if words[at][-1] == "%" and words[at - 1].isdigit() and words[at - 2].isdigit():
            return at
    return 0


def _row(line: str, words: Sequence[str], percent: str, rows: int) -> Mark:
    piece = _shorter(line, " ".join(words))
    if words[0] == "TOTAL":
        return m.ALWAYS, NOUN, piece
    if percent in ("100%", "100.0%", "100.00%"):
        return m.NEVER, FULL, piece
    return (m.ALWAYS if rows <= _SHOWN else m.DETAIL), NOUN, piece


def _shorter(line: str, text: str) -> str | Recast:
    return Recast(text, [line]) if len(text) < len(line) else line
