"""stylelint."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.located import headed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item


class StylelintProcessor(Linter):
    """The first problems of each rule under their file; the rest counted by rule with every file."""

    name = "stylelint"
    commands = ("stylelint",)

    def items(self, lines: Sequence[str]) -> list[Item]:
        return headed(lines) if any(line.startswith("  ") for line in lines) else located(lines)
