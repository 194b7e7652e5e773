"""pyright and basedpyright."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Linter
from token_saver.text.findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.text.findings import Item


class PyrightProcessor(Linter):
    """The first findings of each rule with their explanation, errors first; the rest counted by rule with every file."""

    name = "pyright"
    share = 140
    commands = ("pyright", "basedpyright")

    def items(self, lines: Sequence[str]) -> list[Item]:
        """A heading names the file that each finding below it names again."""
        items: list[Item] = []
        for item in super().items(lines):
            last = items[-1] if items else None
            if isinstance(item, Finding) and isinstance(last, str) and last == item.path:
                items.pop()
                item.shown = item.lines[0]
                item.lines.insert(0, last)
                item.head = 2
            items.append(item)
        return items

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._pyright import observe

        return observe(self.capture(as_command(command), output, exit_code))
