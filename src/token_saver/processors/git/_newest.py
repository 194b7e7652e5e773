"""Commits on one line each, the newest first."""

from __future__ import annotations

from token_saver.text.pieces import Fold

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


def most_characters(room: int, *, limited: bool) -> int:
    """Return how many characters of subjects may stay: for all that the agent asked for by number, else twice *room*."""
    return max(room, MOST_SUBJECTS) if limited else 2 * room


def told_newest(lines: Sequence[str], room: int, *, limited: bool) -> list[Piece]:
    """Keep the newest lines that fit (``most_characters``), and say how many older ones there are."""
    left = most_characters(room, limited=limited)
    for count, line in enumerate(lines):
        left -= len(line) + 1
        if left < 0:
            last = lines[-1][:200].strip()
            return [*lines[:count], Fold(lines[count:], "older line", known=True, names=f"down to {last}")]
    return list(lines)
