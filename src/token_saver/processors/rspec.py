"""rspec, minitest and the runners that number their failures as they do."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Reporting
from token_saver.processors._numbered import NUMBERED, numbered
from token_saver.text import Fold, rx
from token_saver.text.findings import report
from token_saver.text.test_names import counted_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_SECTION = rx(
    r"(?:Failures|Pending|Failed examples|Top \d+ slowest|Finished in|Deprecation Warnings|An error occurred|Coverage report)\b"
)
_END = rx(
    r"(?:Failures|Failed examples|Finished in|Pending|Top \d+ slowest|Deprecation Warnings|"
    r"\d+ (?:examples?|runs?|tests?),|rspec |bin/rails )"
)
_PROGRESS = rx(r"[.FSEP*]+$")
_OTHER = rx(r"\((?:FAILED|PENDING|ERROR)\b")
_NO_MARK = rx(r"(?!)")
_INDENTED = rx(r"\s+\S")


class RspecProcessor(Reporting):
    """Each failing example with its message, difference and own frames, pending ones with the reason; passing are counted."""

    name = "rspec"
    priority = 21
    commands = ("rspec", "minitest", "rails test", "rake test", "rake spec", "parallel_rspec", "turbo_tests", "cucumber")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        at = next((index for index, line in enumerate(lines) if _SECTION.match(line) or NUMBERED.match(line)), len(lines))
        return report([*_names(lines[:at]), *numbered(lines[at:], _END)], noun="failure", whole=0, share=100)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._rspec import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _names(lines: Sequence[str]) -> Iterable[Item]:
    """Dots, or the tree of the documentation format, where a passing example carries no mark."""
    if any(_OTHER.search(line) for line in lines) or sum(1 for line in lines if _INDENTED.match(line)) > 2:
        return counted_names(lines, _NO_MARK, failing=_OTHER)
    return [Fold([line], "line of progress", known=True) if _PROGRESS.match(line) else line for line in lines]
