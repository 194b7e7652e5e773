"""Lines that differ only in numbers are of one template.

A template is the line with every digit written as ``0``: one pass of ``str.translate`` over the whole text, so that a
look-up in a dictionary classifies a line.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_DIGITS = str.maketrans("123456789", "000000000")
_ZEROS = ("00000000", "0000", "00")


def template(line: str) -> str:
    """Return the template of one line; runs of digits count as one."""
    line = line.translate(_DIGITS)
    for run in _ZEROS:
        while run in line:
            line = line.replace(run, "0")
    return line


def templates(lines: Sequence[str]) -> list[str]:
    """Return the template of each line."""
    return template("\n".join(lines)).split("\n") if lines else []
