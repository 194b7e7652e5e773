"""rubocop, standardrb, erb-lint, haml-lint, reek, brakeman and sorbet."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_SIMPLE = rx(r"[CWEFRI]: +(?:\[Correctable\] )?(?P<line>\d+): *\d+: (?P<level>)(?P<text>.*)")


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


class BrakemanProcessor(Linter):
    """Each warning whole."""

    name = "brakeman"
    commands = ("brakeman",)
