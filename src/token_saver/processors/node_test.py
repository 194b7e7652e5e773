"""node's own test runner: TAP in a pipe, the spec reporter on a terminal."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.text import rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import report
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
_REPORT = rx(r"test at |✖ ")
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
        return report(tap(lines) if is_tap(lines) else _spec(lines), noun="failure", whole=0, share=120)


def _spec(lines: Sequence[str]) -> list[Item]:
    """The tree of names, and every failure again with its message at the end."""
    at = next((index for index, line in enumerate(lines) if _FAILED.match(line)), len(lines))
    items: list[Item] = [*counted_names(lines[:at], _PASSING), *lines[at : at + 1]]
    for block in reports(lines[at + 1 :], _REPORT, _END):
        items.extend([failure(block)] if _REPORT.match(block[0]) else block)
    return items
