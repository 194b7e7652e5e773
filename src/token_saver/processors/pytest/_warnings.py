"""The warnings summary: each class with its message and place; further places are counted."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.text import rx
from token_saver.text.templates import template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

NOUN = "line of warning"
_MESSAGE = rx(r"\s+(\S.*?:\d+): ((?:\w+\.)*\w+): (.*)")
_NESTED = rx(r"\s+(?:\w+\.)*\w*(?:Warning|Error|Exception)\b: ")
_PLACES = 2


def mark(lines: Sequence[str]) -> Iterator[Mark]:
    """Mark the lines below the heading."""
    seen: dict[str, int] = {}
    places = 0
    for line in lines:
        if not line.strip():
            yield m.NEVER, NOUN, line
        elif line.startswith(("-- Docs: ", "  Traceback (most recent")):
            yield m.NEVER, m.TOLD, line
        elif line[:1] not in " \t":
            places += 1
            yield (m.DETAIL if places <= _PLACES else m.REST), NOUN, line
        else:
            found = _MESSAGE.match(line)
            if found is not None:
                places = 0
                yield _worth(seen, f"{found.group(2)}: {template(found.group(3))}"), NOUN, line
            else:
                yield (_worth(seen, template(line)) if _NESTED.match(line) else m.NEVER), NOUN, line


def _worth(seen: dict[str, int], key: str) -> int:
    count = seen[key] = seen.get(key, 0) + 1
    return m.REASON if count == 1 else m.DETAIL if count == 2 else m.EDGE
