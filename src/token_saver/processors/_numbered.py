"""Reports that are numbered: ``  1) name``, then what went wrong, up to the next number."""

from __future__ import annotations

from token_saver.text import rx
from token_saver.text.failures import failure, reports

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.findings import Item
    from token_saver.text.rx import Rx

NUMBERED = rx(r"\s{0,4}\d+\) \S|\s{0,4}\d+\)$")
NEVER = rx(r"(?!)")


def numbered(lines: Sequence[str], end: Rx = NEVER, start: Rx = NUMBERED) -> Iterator[Item]:
    """Make a failure of each numbered report; a line that *end* matches closes the last one, other lines stay."""
    for block in reports(lines, start, end):
        if start.match(block[0]):
            yield failure(block)
        else:
            yield from block
