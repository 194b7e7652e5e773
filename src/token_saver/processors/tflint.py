"""tflint."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import rx
from token_saver.text.failures import reports
from token_saver.text.findings import Finding
from token_saver.text.located import rank, trailing_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_ISSUE = rx(r"(?P<level>Error|Warning|Notice): (?P<text>.*)")
_PLACE = rx(r"\s+on (?P<path>.+) line (?P<line>\d+):")
_NEVER = rx(r"(?!)")


class TflintProcessor(Linter):
    """Each issue's message, rule and place, the source for the first of a rule; the rest counted with their places."""

    name = "tflint"
    commands = ("tflint",)

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        for block in reports(lines, _ISSUE, _NEVER):
            issue = _ISSUE.match(block[0])
            items.extend([_finding(block, *issue.group("level", "text"))] if issue is not None else block)
        return items


def _finding(block: list[str], level: str, text: str) -> Finding:
    at = next((index for index, line in enumerate(block) if _PLACE.match(line)), 0)
    place = _PLACE.match(block[at])
    path, line = place.group("path", "line") if place is not None else ("", "")
    shown = f"{block[0]} {block[at].strip()}" if place is not None else ""
    return Finding(block, path, line, trailing_rule(text), text, rank(level, ""), head=at + 1, shown=shown)
