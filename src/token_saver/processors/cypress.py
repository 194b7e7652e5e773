"""cypress."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._numbered import numbered
from token_saver.text import Fold, Recast, rx
from token_saver.text.findings import report
from token_saver.text.test_names import counted_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSING = rx(r"\s*[✓✔√]")
_SUMMARY = rx(r"  \d+ (?:passing|failing|pending)\b")
_SECTION = rx(r"  \((?:Results|Screenshots|Video|Run Finished|Run Starting|Attempt)|={20,}$|─{20,}|  Running: ")
_BORDER = rx(r"\s*[┌└├]?[─┬┴┼]{5,}[┐┘┤]?\s*$|={20,}$")
_PADDED = rx(r" {3,}")


class CypressProcessor(Family):
    """Each failing test with its message and place, the results of each spec; passing tests and borders are counted."""

    name = "cypress"
    priority = 21
    commands = ("cypress run", "cypress")

    def read(self, capture: Capture) -> Iterable[Piece]:
        items: list[Item] = []
        for block in _sections(capture.lines):
            at = next((index for index, line in enumerate(block) if _SUMMARY.match(line)), len(block))
            items.extend(counted_names(block[:at], _PASSING) if at < len(block) else block)
            items.extend(numbered(block[at:]))
        return report([_narrow(item) if isinstance(item, str) else item for item in items], noun="failure", whole=0, share=100)


def _sections(lines: Sequence[str]) -> list[list[str]]:
    sections: list[list[str]] = [[]]
    for line in lines:
        if _SECTION.match(line):
            sections.append([])
        sections[-1].append(line)
    return [section for section in sections if section]


def _narrow(line: str) -> Item:
    """Tables are as wide as the terminal."""
    if _BORDER.match(line):
        return Fold([line], "border", known=True, told=True)
    narrow = _PADDED.sub("  ", line.rstrip().rstrip("│").rstrip())
    return Recast(narrow, [line]) if len(narrow) < len(line) else line
