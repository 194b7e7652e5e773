"""oxlint, and deno lint."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_HEAD = rx(
    r"\s+(?P<mark>[×!⚠✖x]) (?P<rule>[\w@-]+\([\w/@-]+\))?:? ?(?P<text>.*)"
    r"|(?P<level>error|warning)\[(?P<code>[\w/-]+)\]: (?P<said>.*)"
)
_PLACE = rx(r"\s*(?:╭─\[|,-\[|--> )(?P<path>[^\]\n]*?):(?P<line>\d+:\d+)\]?\s*$")
_RANKS = {"×": ERROR, "✖": ERROR, "x": ERROR, "error": ERROR, "⚠": WARNING, "!": WARNING, "warning": WARNING}


class OxlintProcessor(Linter):
    """Each diagnostic's message, rule and place, the source for the first of a rule; the rest counted with every file."""

    name = "oxlint"
    commands = ("oxlint", "deno lint")
    quiet = Rules({r"\s*$": "blank line"})
    whole = 1

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        index = 0
        while index < len(lines):
            place = next((at for at in range(index + 1, min(index + 4, len(lines))) if _PLACE.match(lines[at])), None)
            head = _HEAD.match(lines[index])
            if head is None or place is None:
                items.append(lines[index])
                index += 1
                continue
            end = place + 1
            while end < len(lines) and lines[end].strip():
                end += 1
            items.append(_finding(list(lines[index : end + 1]), place - index + 1))
            index = end + 1
        return items


def _finding(block: list[str], head: int) -> Finding:
    said = _HEAD.match(block[0])
    place = _PLACE.match(block[head - 1])
    assert said is not None
    assert place is not None
    mark = said.group("mark") or said.group("level") or ""
    rule = said.group("rule") or said.group("code") or ""
    text = said.group("text") or said.group("said") or ""
    shown = " ".join(" ".join(line.split()) for line in block[:head])
    return Finding(block, place.group("path"), place.group("line"), rule, text, _RANKS.get(mark, STYLE), head=head, shown=shown)
