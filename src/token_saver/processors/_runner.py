"""What runners share that print a command before its output."""

from __future__ import annotations

from token_saver.processor import Inner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.rx import Rx


# More lines of the shape of a command are a listing of some kind.
MOST = 40


def spans(lines: Sequence[str], head: Rx, end: Rx) -> list[Inner]:
    """Return the output of each command that a line names (group ``command`` of *head*), up to where *end* matches.

    The line that names the command, and the one that ends its output, are the runner's own.
    """
    heads = [at for at, line in enumerate(lines) if head.match(line)]
    if not 0 < len(heads) <= MOST:
        return []
    found: list[Inner] = []
    for at, following in zip(heads, [*heads[1:], len(lines)], strict=True):
        named = head.match(lines[at])
        stop = next((index for index in range(at + 1, following) if end.match(lines[index])), following)
        if named is not None and at + 1 < stop:
            found.append(Inner(named.group("command"), at + 1, stop))
    return found
