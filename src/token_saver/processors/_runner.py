"""What runners share that print a command before its output."""

from __future__ import annotations

from token_saver.processor import Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.rx import Rx


def spans(lines: Sequence[str], head: Rx, end: Rx) -> list[Inner]:
    """Return the output of each command that a line names (group ``command`` of *head*), up to where *end* matches.

    The line that names the command, and the one that ends its output, are the runner's own.
    """
    found: list[Inner] = []
    index, total = 0, len(lines)
    while index < total:
        named = head.match(lines[index])
        index += 1
        if named is None:
            continue
        start = index
        while index < total and not (end.match(lines[index]) or head.match(lines[index])):
            index += 1
        if start < index and named.group("command").strip():
            found.append(Inner(named.group("command"), start, index))
    return found
