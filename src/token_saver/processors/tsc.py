"""The TypeScript compiler, in both of its forms."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Linter
from token_saver.text.findings import Finding
from token_saver.text.folders import Rules
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.text.findings import Item

_PLAIN = rx(r"(?P<path>[^\s(][^(\n]*)\((?P<line>\d+,\d+)\): ?(?P<rest>(?:error|warning|message) .*)")
_PRETTY = rx(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+:\d+) - (?P<rest>.*)")
_DEEP = 8


class TscProcessor(Linter):
    """The first errors of each code with their explanation; repeats are counted with their places."""

    name = "tsc"
    priority = 25
    commands = ("tsc", "vue-tsc", "tsgo", "astro check", "svelte-check", "attw")
    whole = 12

    quiet = Rules({r"\[?[\d:]+ ?[AP]?M?\]? (?:Starting compilation|File change detected)": "line of watching"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        pretty = any(map(_PRETTY.match, lines[:200]))
        items = located(lines, head=_PRETTY if pretty else _PLAIN)
        for item in items:
            if isinstance(item, Finding) and not pretty:
                _explain(item)
        return items

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._tsc import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _explain(finding: Finding) -> None:
    """Of a chain of reasons the last ones tell what really differs."""
    below = len(finding.lines) - 1
    if 1 < below <= _DEEP:
        finding.picked = [0, *range(max(1, below - 2), below + 1)]
