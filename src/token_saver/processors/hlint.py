"""hlint."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import paragraphs, rx
from token_saver.text.findings import Finding
from token_saver.text.located import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_HINT = rx(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+(?::\d+)?)[^ ]*: (?P<level>Error|Warning|Suggestion|Ignore): (?P<text>.*)")


class HlintProcessor(Linter):
    """Each hint with its place, what was found and what is better for the first of a kind; the rest counted."""

    name = "hlint"
    commands = ("hlint",)
    whole = 1

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        for block in paragraphs(lines):
            found = _HINT.match(block[0])
            if found is None:
                items.extend(block)
                continue
            path, place, level, text = found.group("path", "line", "level", "text")
            items.append(Finding(block, path, place, "", text, rank(level, "")))
        return items
