"""Ant: targets, and tasks whose every line carries the task's name."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.compiled import compiled
from token_saver.text.failures import reports
from token_saver.text.findings import STYLE, Finding, report
from token_saver.text.folders import Rules
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_TASK = rx(r" *\[(?P<task>[\w:.-]+)\] ?(?P<said>.*)$")
_COPIES = rx(r" *\[cpd\] Found a \d+ line")
_OTHER = rx(r"(?! *\[cpd\])")
_START = rx(r" *\[cpd\] Starting at line (?P<line>\d+) of (?P<path>.+)$")
FEW = 12
_PASSED = rx(r" *\[junit\] Tests run: \d+, Failures: 0, Errors: 0")


class AntProcessor(Family):
    """Compiler errors and failed tests whole, what tasks made, the result; files one by one and duplicated code are counted."""

    name = "ant"
    priority = 28
    commands = ("ant",)
    quiet = Rules(
        {
            r" *\[[\w:.-]+\] *$": "line without a word",
            r" *\[(?:mkdir|delete|copy|move|touch)\] (?:Created dir|Deleting|Copying|Moving|Creating|Copied) ?": "file operation",
            r" *\[(?:jar|zip|war)\] (?:adding|Expanding)": "file operation",
            r" *\[junit\] (?:Running|Testsuite:) \S+$": "test class",
            r" *\[junit\] (?:Testcase: \S+ took|------------- )": "passing test",
            r" *\[java(?:doc|c)\] (?:Loading source file|Constructing Javadoc|Generating )": "file operation",
            r"[UADGC] {2,}\S+$": "updated file",
            r"(?:Trying to override old definition|Override ignored|parsing buildfile|Project base dir)\b": "line of set-up",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_counted(_read(capture.lines))), self.quiet, whole=1, share=30)


def _bare(line: str) -> str:
    found = _TASK.match(line)
    return found.group("said") if found is not None else line


def _items(lines: Sequence[str]) -> Iterator[Item]:
    """Duplicated code that cpd prints is a finding: its two places say where the code is."""
    for block in reports(lines, _COPIES, _OTHER):
        if _COPIES.match(block[0]):
            picked = [at for at, line in enumerate(block) if not at or "Starting at line " in line]
            found = _START.match(block[picked[1]]) if len(picked) > 1 else None
            path, place = (found.group("path"), found.group("line")) if found else ("", "")
            yield Finding(block, path, place, "duplication", block[0], STYLE, picked=picked)
        else:
            yield block[0]


def _read(lines: Sequence[str]) -> Iterator[Item]:
    rest: list[str] = []
    for item in _items(lines):
        if isinstance(item, str):
            rest.append(item)
            continue
        yield from compiled(rest, _bare)
        rest = []
        yield item
    yield from compiled(rest, _bare)


def _counted(items: Iterable[Item]) -> Iterator[Item]:
    """Of test classes that went well keep the first few."""
    passed = 0
    for item in items:
        if isinstance(item, str) and _PASSED.match(item):
            passed += 1
            yield Fold([item], "test class", known=True) if passed > FEW else item
        else:
            yield item
