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
    critical = set(critical_lines(lines))
    seen: dict[str, int] = {}
    last = len(lines) - _ENDS
    for index, (line, key) in enumerate(zip(lines, templates(lines), strict=True)):
        count = seen[key] = seen.get(key, 0) + 1
        if not line.strip():
            yield m.NEVER, m.OUTPUT, line
        elif line in shown:
            yield m.NEVER, m.TOLD, line
        elif count > _PER_KIND:
            yield m.NEVER, m.OUTPUT, line
        else:
            edge = index < _ENDS or index >= last
            yield (m.FRAME if index in critical else m.EDGE if edge else m.REST), m.OUTPUT, line
    shown.update(lines)


def head(line: str, title: str) -> Mark:
    """Mark the heading of an output section, its rule shortened."""
    text = f"--- {title} ---"
    return m.EDGE, m.OUTPUT, Recast(text, [line]) if len(text) < len(line) else line
