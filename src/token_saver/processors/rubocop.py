"""rubocop, standardrb, erb-lint, haml-lint, reek, brakeman and sorbet."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import Finding
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_LINK = rx(r" \[https?://[^\]\s]+\]$")


class RubocopProcessor(Linter):
    """The first offenses of each cop, errors before warnings before conventions; the rest counted by cop with every file."""

    name = "rubocop"
    commands = ("rubocop", "standardrb", "erblint", "erb_lint", "haml-lint", "slim-lint", "srb")
    quiet = Rules({r"[.CWEFRI]{2,}$": "line of progress", r"Running RuboCop\.\.\.$": "line of banner"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        return located(lines, ranked=self.ranked)


class ReekProcessor(Linter):
    """The first smells of each kind with their places, the count of each file; the rest counted by kind with every file."""

    name = "reek"
    commands = ("reek",)
    quiet = Rules({r"[.SE]{2,}$": "line of progress"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        """The link behind a smell says only its kind; the first of a kind keeps it."""
        items = located(lines)
        seen: set[str] = set()
        for item in items:
            if isinstance(item, Finding):
                item.text = _LINK.sub("", item.text)
                if item.rule in seen:
                    item.shown = _LINK.sub("", item.lines[0])
                seen.add(item.rule)
        return items


class BrakemanProcessor(Linter):
    """Each warning whole."""

    name = "brakeman"
    commands = ("brakeman",)
