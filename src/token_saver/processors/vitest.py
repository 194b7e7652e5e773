"""vitest."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Reporting
from token_saver.text import Fold, rx
from token_saver.text.coverage import coverage, is_table, table_end
from token_saver.text.failures import failure, output
from token_saver.text.findings import STYLE, WARNING, report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSED = rx(r"\s*(?:✓|√|·) (?P<suite>(?:\|[^|]+\| )?\S+\.\w+ \()?")
_SKIPPED = rx(r"\s*↓ ")
_OUTPUT = rx(r"(?P<stream>stdout|stderr) \| ")
_FAILURE = rx(r" FAIL  |⎯+ (?:Unhandled|Uncaught) ")
_SECTION = rx(r"⎯+ (?:Failed|Unhandled|Startup) .*⎯$")
_RULE = rx(r"⎯{10,}(?:\[\d+/\d+\]⎯*)?$")
_SUMMARY = rx(r" Test Files  |      Tests  |   Start at  |   Duration  | % Coverage |  Snapshots  ")
_STATUS = rx(r" (?:[✓√×❯↓]|FAIL ) | {3}[✓√×]|$")


class VitestProcessor(Reporting):
    """Each failing test with its message, difference and own frames; passing files and tests are counted."""

    name = "vitest"
    priority = 21
    commands = ("vitest",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(_items(capture.lines), noun="failure", whole=0, share=100)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._vitest import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _items(lines: Sequence[str]) -> list[Item]:
    items: list[Item] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        end = index + 1
        passed = _PASSED.match(line)
        if passed is not None:
            items.append(Fold([line], "passing file" if passed.group("suite") else "passing test", known=True))
        elif _OUTPUT.match(line):
            end = _output_end(lines, end)
            items.append(output(lines[index:end], WARNING if line.startswith("stderr") else STYLE))
        elif line.startswith(" FAIL  "):
            end = _failure_end(lines, end)
            items.append(failure(lines[index:end], _path(line)))
        elif _RULE.match(line):
            items.append(Fold([line], "rule", known=True, told=True))
        elif is_table(lines, index):
            end = table_end(lines, index)
            items.extend(coverage(lines[index:end]))
        else:
            items.append(line)
        index = end
    return items


def _path(line: str) -> str:
    """`` FAIL  |project| src/a.test.ts > suite > test`` names the file first."""
    words = line.removeprefix(" FAIL  ").split()
    return next((word for word in words if "." in word and not word.startswith("|")), "")


def _output_end(lines: Sequence[str], index: int) -> int:
    """What a test printed ends before a blank line that a status line, a heading or more output follows."""
    while index < len(lines):
        line = lines[index]
        if _OUTPUT.match(line) or _FAILURE.match(line) or _SECTION.match(line) or _SUMMARY.match(line):
            return index
        if line and _STATUS.match(line):
            return index
        index += 1
    return index


def _failure_end(lines: Sequence[str], index: int) -> int:
    """Tests that failed for one reason share a report; it ends with a rule that counts it."""
    heading = True
    while index < len(lines):
        line = lines[index]
        if _RULE.match(line):
            return index + 1
        if _SECTION.match(line) or _SUMMARY.match(line) or (line.startswith(" FAIL  ") and not heading):
            return index
        heading = heading and line.startswith(" FAIL  ")
        index += 1
    return index
