"""typos and codespell."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.located import framed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item


class TyposProcessor(Linter):
    """Each misspelt word with its place once, repeats of a word by place; the frames of source are counted."""

    name = "typos"
    commands = ("typos", "codespell", "cspell")
    whole = 0

    def items(self, lines: Sequence[str]) -> list[Item]:
        return framed(lines) if any("╭▸" in line or "-->" in line for line in lines) else located(lines)
