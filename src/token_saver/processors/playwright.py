"""playwright's test runner."""

from __future__ import annotations

from token_saver.processors._linter import Reporting
from token_saver.processors._numbered import NUMBERED
from token_saver.text import Fold, Recast, rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import Finding, report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSED = rx(r"\s+(?:✓|✔|ok|-) +\d+ \S")
_FAILED = rx(r"\s+(?:✘|✖|x) +\d+ \S")
_PROGRESS = rx(r"\[\d+/\d+\] |[·.F±×°T]{2,}$")
_END = rx(r"  \d+ (?:failed|passed|flaky|skipped|did not run|interrupted)\b|  Slow test file: |  \d+ error(?:s)? (?:was|were)")
_LONG_RULE = rx(r".*\S ─{3,}$")
_BOX = rx(r"\s*[╔║╚]")


class PlaywrightProcessor(Reporting):
    """Each failing test with its message, line and attachments, flaky and skipped ones by name; passing tests are counted."""

    name = "playwright"
    priority = 21
    commands = ("playwright test", "playwright")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if capture.command.subcommand != "test" or capture.command.has("--list"):
            return lines
        return report(_items(lines), noun="failure", whole=0, share=100)


def _items(lines: Sequence[str]) -> list[Item]:
    reported = any(NUMBERED.match(line) for line in lines)
    boxes: set[str] = set()
    items: list[Item] = []
    for block in reports(lines, NUMBERED, _END):
        line = block[0]
        if NUMBERED.match(line):
            items.append(_failure(block, boxes))
        elif _PASSED.match(line):
            items.append(Fold(block, "passing or skipped test", known=True))
        elif _FAILED.match(line) and reported:
            items.append(Fold(block, "line of failures repeated", known=True, told=True))
        elif _PROGRESS.match(line):
            items.append(Fold(block, "line of progress", known=True))
        elif _LONG_RULE.match(line):
            items.append(Recast(line.rstrip(" ─"), block))
        else:
            items.append(line)
    return items


def _failure(block: list[str], boxes: set[str]) -> Finding:
    """A box of advice (install the browsers) is shown once; the rule behind a name is padding."""
    made = failure(block)
    picked = []
    for index in made.picked or ():
        line = block[index]
        if _BOX.match(line):
            if line in boxes:
                continue
            boxes.add(line)
        picked.append(index)
    made.picked = picked
    return made
