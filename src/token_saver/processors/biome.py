"""biome."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import rx
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_HEAD = rx(r"(?P<path>[^\s:][^:\n]*?)(?::(?P<line>\d+:\d+))? (?P<rule>[a-z]\w*(?:/\w+)*)(?P<mark>(?: +[A-Z]+)*) +━{3,}$")
_MESSAGE = rx(r"  (?P<mark>[×!✖⚠iℹ]) (?P<text>.*)")
_RANKS = {"×": ERROR, "✖": ERROR, "!": WARNING, "⚠": WARNING}


class BiomeProcessor(Linter):
    """Each diagnostic's place, rule and message, the source for the first of a rule; the rest counted with every file."""

    name = "biome"
    commands = ("biome",)
    whole = 1

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        index = 0
        while index < len(lines):
            head = _HEAD.match(lines[index])
            if head is None:
                items.append(lines[index])
                index += 1
                continue
            end = index + 1
            while end < len(lines) and (not lines[end].strip() or lines[end].startswith("  ")):
                end += 1
            items.append(_finding(list(lines[index:end]), *head.group("path", "line", "rule")))
            index = end
        return items


def _finding(block: list[str], path: str, place: str | None, rule: str) -> Finding:
    at = next((index for index, line in enumerate(block) if _MESSAGE.match(line)), 0)
    said = _MESSAGE.match(block[at])
    mark, text = said.group("mark", "text") if said else ("", "")
    shown = " ".join(block[0].rstrip(" ━").split()) + (f" {block[at].strip()}" if said else "")
    return Finding(block, path, place or "", rule, text, _RANKS.get(mark, STYLE), head=at + 1, shown=shown)
