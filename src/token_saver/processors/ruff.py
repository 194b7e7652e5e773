"""Ruff: check in every output form, and format."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Reporting
from token_saver.text import Rules, allowance
from token_saver.text.diffs import squeeze_diff
from token_saver.text.findings import ERROR, STYLE, WARNING, report
from token_saver.text.located import ANNOTATION, LOCATED, framed, headed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

# https://docs.astral.sh/ruff/rules/: what is wrong at run time, and what only looks or reads badly.
_WRONG = ("F82", "F5", "F6", "F7", "E9", "PLE", "invalid-syntax", "unformatted")
_TASTE = ("E1", "E2", "E3", "E5", "W", "I", "D", "Q", "COM", "UP", "ANN", "N", "C4", "SIM", "FBT", "ERA", "PLR", "TRY", "EM")
_QUIET = Rules({r"\.\.\.|-{20,}$": "line of context"})


class RuffProcessor(Reporting):
    """Each rule's first findings with their source, more by their place, the rest counted by rule with every place."""

    name = "ruff"
    priority = 27
    commands = ("ruff",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        form = capture.command.option("--output-format") or ""
        if form in ("sarif", "junit", "azure"):
            return lines
        if form == "grouped":
            return report(headed(lines, ranked=ranked), _QUIET)
        if form in ("full", "") and any(line.lstrip().startswith("-->") for line in lines):
            return report(framed(lines, ranked=ranked), _QUIET, whole=1)
        if any(line.startswith("@@ ") for line in lines):
            return squeeze_diff(lines, allowance(len(capture.text)))
        head = ANNOTATION if form == "github" else LOCATED
        return report(located(lines, head=head, ranked=ranked), _QUIET)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._ruff import observe

        return observe(self.capture(as_command(command), output, exit_code))


def ranked(level: str, rule: str) -> int:
    """Return what a finding of *rule* is worth."""
    if rule.startswith(_WRONG):
        return ERROR
    return STYLE if rule.startswith(_TASTE) else WARNING
