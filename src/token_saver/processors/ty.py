"""ty and pyrefly: messages with a frame of source."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.located import framed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item


class TyProcessor(Linter):
    """The first finding of each rule with its source, others by message and place; the rest counted with their places."""

    name = "ty"
    commands = ("ty", "pyrefly")

    def items(self, lines: Sequence[str]) -> list[Item]:
        if any(line.lstrip().startswith("-->") for line in lines):
            return framed(lines)
        return located(lines)
