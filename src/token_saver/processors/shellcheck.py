"""shellcheck."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_IN = rx(r"In (?P<path>.+) line (?P<line>\d+):$")
_CODE = rx(r"\s*\^[-^]* ?(?P<rule>SC\d+) \((?P<level>\w+)\): (?P<text>.*)")
_RANKS = {"error": ERROR, "warning": WARNING}


class ShellcheckProcessor(Linter):
    """Each place with its source line, codes and messages; repeats of a code are counted with their places."""

    name = "shellcheck"
    commands = ("shellcheck",)
    quiet = Rules({r"  https://www\.shellcheck\.net/wiki/SC\d+ -- |For more information:$": "line of links"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        if not any(_IN.match(line) for line in lines):
            return located(lines)
        items: list[Item] = []
        index = 0
        while index < len(lines):
            place = _IN.match(lines[index])
            if place is None:
                items.append(lines[index])
                index += 1
                continue
            end = _end(lines, index + 1)
            items.append(_finding(list(lines[index:end]), *place.group("path", "line")))
            index = end
        return items


def _end(lines: Sequence[str], index: int) -> int:
    """A place has a source line (which may be blank), then the codes; what follows the last blank line is not its own."""
    while index < len(lines) and not _IN.match(lines[index]) and not lines[index].startswith("For more information"):
        index += 1
    return index


def _finding(block: list[str], path: str, place: str) -> Finding:
    codes = [found for line in block if (found := _CODE.match(line))]
    worst = max((_RANKS.get(found.group("level"), STYLE) for found in codes), default=WARNING)
    rule = "/".join(dict.fromkeys(found.group("rule") for found in codes))
    text = "; ".join(found.group("text") for found in codes)
    last = max((index for index, line in enumerate(block) if line.strip()), default=0)
    return Finding(block, path, place, rule, text, worst, head=last + 1)
