"""sqlfluff."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import rx
from token_saver.text.findings import ERROR, WARNING, Finding, Heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_FILE = rx(r"== \[(?P<path>.*)\] (?:FAIL|PASS|FIXED)")
_ROW = rx(r"L: *(?P<line>\d+) \| P: *(?P<column>\d+) \| +(?P<rule>\w+) \| ?(?P<text>.*)")
_MORE = rx(r" +\| ?(?P<text>.*)")


class SqlfluffProcessor(Linter):
    """The first violations of each rule under their file, parse errors first; the rest counted by rule with their places."""

    name = "sqlfluff"
    commands = ("sqlfluff",)

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        path = ""
        for line in lines:
            file = _FILE.match(line)
            row = _ROW.match(line)
            more = _MORE.match(line)
            last = items[-1] if items else None
            if file is not None:
                path = file.group("path")
                items.append(Heading([line]) if line.endswith("FAIL") else line)
            elif row is not None:
                place, column, rule, text = row.group("line", "column", "rule", "text")
                made = Finding([line], path, f"{place}:{column}", rule, text, ERROR if rule == "PRS" else WARNING)
                made.shown = f"L:{place} | P:{column} | {rule} | {text}"
                items.append(made)
            elif more is not None and isinstance(last, Finding):
                last.lines.append(line)
                last.head += 1
                last.text += " " + more.group("text")
                last.shown += " " + more.group("text")
            else:
                items.append(line)
        return items
