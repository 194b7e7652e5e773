"""bandit."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import ERROR, STYLE, WARNING, Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_ISSUE = rx(r">> Issue: \[(?P<rule>\w+)[^\]]*\] (?P<text>.*)")
_LOCATION = rx(r"\s+Location: (?P<path>.*?):(?P<line>\d+(?::\d+)?)")
_RANKS = {"High": ERROR, "Medium": WARNING}


class BanditProcessor(Linter):
    """Each issue with its severity and place, source for the first of a kind; links and frames are counted."""

    name = "bandit"
    commands = ("bandit",)
    quiet = Rules({r"-{20,}$": "rule", r"Run started:|\[main\]\s+INFO|\[node_visitor\]\s+INFO|Working\.\.\.": "line of banner"})
    whole = 1

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        index = 0
        while index < len(lines):
            issue = _ISSUE.match(lines[index])
            if issue is None:
                items.append(lines[index])
                index += 1
                continue
            end = _end(lines, index + 1)
            items.append(_finding(list(lines[index:end]), issue.group("rule"), issue.group("text")))
            index = end
        return items


def _end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and not lines[index].startswith(("-----", ">> Issue", "Code scanned")):
        index += 1
    return index


def _finding(block: list[str], rule: str, text: str) -> Finding:
    severity = next((line for line in block if line.lstrip().startswith("Severity:")), "")
    location = next((line for line in block if _LOCATION.match(line)), "")
    place = _LOCATION.match(location)
    head = [line for line in (block[0], location, severity) if line]
    rest = list(block)
    for line in head:
        rest.remove(line)
    rank = _RANKS.get(severity.partition("Severity: ")[2].split(" ")[0], STYLE)
    path, number = place.group("path", "line") if place else ("", "")
    shown = " ".join(" ".join(line.split()) for line in head)
    return Finding([*head, *rest], path, number, rule, text, rank, head=len(head), shown=shown)
