"""node's own test runner: TAP in a pipe, the spec reporter on a terminal."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.text import Fold, rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import Finding, report
from token_saver.text.tap import is_tap, tap
from token_saver.text.test_names import counted_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSING = rx(r"\s*[✔✓] ")
_FAILED = rx(r"✖ failing tests:$")
_PLACED, _NAMED = rx(r"test at "), rx(r"✖ ")
_MARK = rx(r"\s*[✔✖▶ℹ﹣⚠] ")
_REPEATED = rx(r"\s*✖ ")
_END = rx(r"ℹ ")


class NodeTestProcessor(Family):
    """Each failing test with its message and own frames, skipped ones with the reason; passing tests are counted."""

    name = "node-test"
    priority = 20
    commands = ("node --test",)

    def can_handle(self, command: str) -> bool:
        line = as_command(command)
        return line.program == "node" and line.has("--test")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        return report(tap(lines) if is_tap(lines) else _spec(lines), noun="failure", whole=0, share=100)


def _spec(lines: Sequence[str]) -> list[Item]:
    """The tree of names, and every failure again with its message at the end."""
    at = next((index for index, line in enumerate(lines) if _FAILED.match(line)), len(lines))
    told = at < len(lines)
    names, repeated = _parted(lines[:at]) if told else (lines[:at], [])
    start = _PLACED if any(_PLACED.match(line) for line in lines[at:]) else _NAMED
    items: list[Item] = [*counted_names(names, _PASSING), Fold(repeated, "line of failures repeated", known=True, told=True)]
    for block in reports(lines[at:], start, _END):
        items.extend([_failure(block)] if start.match(block[0]) else block)
    return items


def _parted(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Part the tree from the failures in it, with the details that some versions print there too."""
    names: list[str] = []
    failures: list[str] = []
    below = False
    for line in lines:
        if _MARK.match(line):
            below = _REPEATED.match(line) is not None
        (failures if below else names).append(line)
    return names, failures


def _failure(block: list[str]) -> Finding:
    """The place stands over the name."""
    made = failure(block)
    made.title = 2 if _PLACED.match(block[0]) else 1
    return made
