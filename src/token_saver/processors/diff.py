"""diff and its kin, and patches."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import allowance
from token_saver.text.diffs import FileDiff, split, squeeze_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class DiffProcessor(Family):
    """Every changed line while there is room, files and hunks always; context goes first."""

    name = "diff"
    priority = 43
    commands = ("diff", "colordiff", "interdiff", "filterdiff", "sdiff", "diff3", "git-diff")
    line_ends = True

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if not any(isinstance(part, FileDiff) for part in split(lines)):
            return lines if len(capture.text) <= 4000 else reduce(lines)
        return squeeze_diff(lines, allowance(len(capture.text)) * 3 // 2)
