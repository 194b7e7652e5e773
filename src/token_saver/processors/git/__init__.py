"""git: what an agent acts on, whichever subcommands spoke.

Most of git's output is read by its shapes (``_text``): commits, diffs, rows of changes, states, references, hints. Lists of
one thing a line, which have no shape of their own, are read by the subcommand that printed them (``_lists``, ``_blame``).
"""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.shell.script import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

_MACHINE = ("-z", "--null", "--porcelain", "--batch", "--batch-check")
_FOR_PROGRAMS = names("format-patch fast-export bundle archive diff-files diff-index diff-tree")
_ASKED_FOR = ("-h", "--help", "--version")
_LISTS = names(
    "blame annotate grep ls-files ls-tree branch tag shortlog reflog worktree remote config for-each-ref rev-list "
    "show-ref ls-remote cat-file help rev-parse count-objects var check-ignore"
)


class GitProcessor(Family):
    """States, conflicts, refusals, references, file names and changed lines stay; hints, progress and context are counted.

    Of a history or a difference that is too large every commit keeps its subject and every file its name; bodies and the
    changed lines that say least are counted.
    """

    name = "git"
    priority = 20
    commands = ("git",)
    line_ends = True

    def read(self, capture: Capture) -> Iterable[Piece]:
        segments = [segment for segment in capture.command.segments if segment.program == "git"] or [capture.command]
        if any(
            segment.subcommand in _FOR_PROGRAMS or segment.has(*_MACHINE) or (segment.has(*_ASKED_FOR) and len(segment.args) < 3)
            for segment in segments
        ):
            return capture.lines
        if len(segments) == 1 and _is_list(segments[0]):
            from token_saver.processors.git._lists import told_list

            return told_list(segments[0], capture.lines)
        from token_saver.processors.git._text import told_text

        return told_text(segments, capture.lines)


def _is_list(command: CommandLine) -> bool:
    """Tell whether *command* prints one thing a line, or the content of a file."""
    if command.subcommand in _LISTS:
        return True
    return command.subcommand == "show" and any(":" in operand for operand in command.operands[1:])
