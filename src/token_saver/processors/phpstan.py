"""phpstan, and psalm and phpcs where they print a place a line."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules, rx
from token_saver.text.findings import ERROR, Finding, Heading
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_FILE = rx(r"\s+Line\s{2,}(?P<path>\S.*)$")
_ROW = rx(r"\s+:?(?P<line>\d+)\s{2,}(?P<text>\S.*)$")
_MORE = rx(r"\s{6,}(?P<text>\S.*)$")
_ICON = "🪪"


class PhpstanProcessor(Linter):
    """The first errors of each identifier or message under their file; the rest counted with their places."""

    name = "phpstan"
    commands = ("phpstan", "psalm", "phpcs", "phpmd", "larastan")
    quiet = Rules({r"\s*-{3,} -{3,}\s*$|\s*-{10,}\s*$": "rule", r" *\d+/\d+ \[.*\] +\d+%": "line of progress"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        if not any(_FILE.match(line) for line in lines):
            return located(lines)
        items: list[Item] = []
        path = ""
        for line in lines:
            file, row, more = _FILE.match(line), _ROW.match(line), _MORE.match(line)
            last = items[-1] if items else None
            if file is not None:
                path = file.group("path").rstrip()
                items.append(Heading([line]))
            elif row is not None:
                text = row.group("text").rstrip()
                items.append(Finding([line], path, row.group("line"), "", text, ERROR, shown=f"  {row.group('line')}  {text}"))
            elif more is not None and isinstance(last, Finding):
                _continue(last, line, more.group("text").rstrip())
            else:
                items.append(line)
        return items


def _continue(last: Finding, line: str, text: str) -> None:
    """A long message goes on below itself; its identifier stands behind a card."""
    last.lines.append(line)
    last.head += 1
    last.shown += " " + text
    if text.startswith(_ICON):
        last.rule = text.removeprefix(_ICON).strip()
    else:
        last.text += " " + text
