"""mocha, and ava and tape where they print alike."""

from __future__ import annotations

from token_saver.processors._linter import Reporting
from token_saver.processors._numbered import numbered
from token_saver.text import Fold, rx
from token_saver.text.findings import report
from token_saver.text.tap import is_tap, tap
from token_saver.text.test_names import counted_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSING = rx(r"\s*[✓✔√]")
_RUNNING = rx(r"    \S.*: $")
_SUMMARY = rx(r"  \d+ (?:passing|failing|pending)\b")


class MochaProcessor(Reporting):
    """Each failing test with its message, difference and own frames, the counts; passing tests and their headings are counted."""

    name = "mocha"
    priority = 21
    commands = ("mocha", "_mocha", "ava", "tape", "tap", "nyc", "c8", "jasmine", "karma", "qunit", "uvu")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        return report(tap(lines) if is_tap(lines) else spec(lines), noun="failure", whole=0, share=100)


def spec(lines: Sequence[str]) -> list[Item]:
    """The tree of names, then the counts, then the numbered failures."""
    at = next((index for index, line in enumerate(lines) if _SUMMARY.match(line)), len(lines))
    names = counted_names(lines[:at], _PASSING)
    return [*(_drawn_over(piece) for piece in names), *numbered(lines[at:])]


def _drawn_over(piece: Piece) -> Piece:
    """The list reporter writes a name while its test runs, and draws the result over it."""
    return Fold([piece], "line of progress", known=True) if isinstance(piece, str) and _RUNNING.match(piece) else piece
