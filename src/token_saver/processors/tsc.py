"""The TypeScript compiler, in both of its forms."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PLAIN = rx(r"(?P<path>[^\s(][^(\n]*)\((?P<line>\d+,\d+)\): ?(?P<rest>(?:error|warning|message) .*)")
_PRETTY = rx(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+:\d+) - (?P<rest>.*)")


class TscProcessor(Linter):
    """The first errors of each code with their explanation; repeats are counted with their places."""

    name = "tsc"
    priority = 25
    commands = ("tsc", "vue-tsc", "tsgo", "astro check", "svelte-check")
    whole = 12

    quiet = Rules({r"\[?[\d:]+ ?[AP]?M?\]? (?:Starting compilation|File change detected)": "line of watching"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        return located(lines, head=_PRETTY if any(_PRETTY.match(line) for line in lines[:200]) else _PLAIN)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(self.items(capture.lines), self.quiet, whole=self.whole)
