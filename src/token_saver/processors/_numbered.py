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
TITLE = 3


def numbered(lines: Sequence[str], end: Rx = NEVER, start: Rx = NUMBERED) -> Iterator[Item]:
    """Make a failure of each numbered report; a line that *end* matches closes the last one, other lines stay."""
    for block in reports(lines, start, end):
        if start.match(block[0]):
            made = failure(block)
            made.title = _title(block)
            yield made
        else:
            yield from block


def _title(block: Sequence[str]) -> int:
    """A name may go on below its number (mocha), or stand there alone (minitest): up to a blank line."""
    blank = next((index for index, line in enumerate(block) if not line.strip()), len(block))
    return min(blank, TITLE)
