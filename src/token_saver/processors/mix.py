"""mix test (ExUnit)."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._numbered import numbered
from token_saver.text import Fold, rx
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_DOTS = rx(r"[.*]+$")
_PASSED = rx(r"  \* (?:test|doctest|property) .*\(\d[\d.]*ms\) \[L#\d+\]$")
_START = rx(r"\s{2}\d+\) (?:test|doctest|property|\S)")
_END = rx(r"[.*]+$|Finished in |(?:Running ExUnit|Randomized) |\d+ (?:tests?|doctests?|properties),? |Generated |\S+Test \[")


class MixProcessor(Family):
    """Each failing test with its code, values and own frames, warnings and counts; dots and passing tests are counted."""

    name = "mix"
    priority = 21
    commands = ("mix test",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        items = [_dots(item) if isinstance(item, str) else item for item in numbered(capture.lines, _END, _START)]
        return report(items, noun="failure", whole=0, share=100)


def _dots(line: str) -> Item:
    if _DOTS.match(line) or _PASSED.match(line):
        return Fold([line], "line of passing tests", known=True)
    return line
