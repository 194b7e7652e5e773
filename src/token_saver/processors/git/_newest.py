"""Commits on one line each, the newest first."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

MOST_SUBJECTS = 64_000


def is_limited(command: CommandLine) -> bool:
    """Tell whether the agent said how many commits, or which."""
    if command.has("-n", "--max-count", "--since", "--after", "--until", "--before"):
        return True
    return any(flag[1:].isdigit() for flag in command.flags) or any(".." in operand for operand in command.operands)


def told_newest(lines: Sequence[str], room: int, *, limited: bool) -> list[Piece]:
    """Keep all lines that the agent asked for by number, else the newest as far as twice *room* reaches."""
    left = max(room, MOST_SUBJECTS) if limited else 2 * room
    for count, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            last = lines[-1][:200].strip()
            return [*lines[:count], Fold(lines[count:], "older line", known=True, names=f"down to {last}")]
    return [Recast(line.rstrip(), [line]) for line in lines]
