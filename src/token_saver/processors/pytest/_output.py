"""What tests printed and logged: both ends, the first of each kind, words of failure."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.text import Recast, rx
from token_saver.text.critical import critical_lines
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

HEAD = rx(r"-{3,} ((?:Captured|live log|generated|Docs|JSON|Hypothesis)\b.*?|benchmark.*) -{3,}$")
_ENDS = 4
_PER_KIND = 2


def mark(lines: Sequence[str], shown: set[str]) -> Iterator[Mark]:
    """Mark lines of output; *shown* holds what the run has shown already, and learns the rest."""
    seen: dict[str, int] = {}
    fresh: list[int] = []
    repeated: list[str] = []
    told: list[str] = []
    for index, (line, key) in enumerate(zip(lines, templates(lines), strict=True)):
        count = seen[key] = seen.get(key, 0) + 1
        if line in shown and line.strip():
            told.append(line)
        elif count > _PER_KIND or not line.strip():
            repeated.append(line)
        else:
            fresh.append(index)
    critical = set(critical_lines([lines[index] for index in fresh]))
    last = len(lines) - _ENDS
    for order, index in enumerate(fresh):
        edge = index < _ENDS or index >= last
        yield (m.FRAME if order in critical else m.EDGE if edge else m.REST), m.OUTPUT, lines[index]
    yield m.NEVER, m.OUTPUT, repeated
    yield m.NEVER, m.TOLD, told
    shown.update(lines)


def head(line: str, title: str) -> Mark:
    """Mark the heading of an output section, its rule shortened."""
    text = f"--- {title} ---"
    return m.EDGE, m.OUTPUT, Recast(text, [line]) if len(text) < len(line) else line
