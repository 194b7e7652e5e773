"""markdownlint, markdownlint-cli2 and remark."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.findings import WARNING
from token_saver.text.located import headed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item


class MarkdownlintProcessor(Linter):
    """The first findings of each rule with their places; the rest counted by rule with their places."""

    name = "markdownlint"
    commands = ("markdownlint", "markdownlint-cli2", "remark", "mdl")

    def items(self, lines: Sequence[str]) -> list[Item]:
        return headed(lines) if any(line.startswith("  ") for line in lines) else located(lines, ranked=self.ranked)

    def ranked(self, level: str, rule: str) -> int:
        return WARNING
