"""jest."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Reporting
from token_saver.text import Fold, rx
from token_saver.text.coverage import coverage, is_table, table_end
from token_saver.text.failures import failure, output
from token_saver.text.findings import STYLE, report
from token_saver.text.report_json import reported
from token_saver.text.test_names import counted_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_SUITE = rx(r"\s?(?P<word>PASS|FAIL|RUNS) +(?P<path>\S[^\n]*?)(?: \(\d[\d.]*\s?m?s\))?$")
_FAILURE = rx(r"  ● (?P<title>.+)")
_CONSOLE = rx(r"    console\.(?P<level>\w+)")
_END = rx(r"\s?(?:PASS|FAIL|RUNS) |Test Suites: |Snapshot Summary| › |Summary of all failing tests|-{5,}\|")
_PASSING = rx(r"\s*[✓√]")
_JSON = ('{"num', '{"coverage')


class JestProcessor(Reporting):
    """Each failing test with its message, difference, line and own frames; passing suites and tests are counted."""

    name = "jest"
    priority = 21
    commands = ("jest", "react-scripts test", "craco test")

    def read(self, capture: Capture) -> Iterable[Piece]:
        for index, line in enumerate(capture.lines):
            if line.startswith(_JSON):
                told = reported(capture.lines[index:]) or capture.lines[index:]
                return [*report(_items(capture.lines[:index]), noun="failure", whole=0, share=100), *told]
        return report(_items(capture.lines), noun="failure", whole=0, share=100)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._jest import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _items(lines: Sequence[str]) -> list[Item]:
    items: list[Item] = []
    index, path = 0, ""
    while index < len(lines):
        line = lines[index]
        suite = _SUITE.match(line)
        if line == "Summary of all failing tests":
            end = _until(lines, index + 1, "Test Suites: ")
            items.append(Fold(lines[index:end], "line of failures repeated", known=True, told=True))
        elif suite is not None:
            path = suite.group("path")
            end = _listing_end(lines, index + 1)
            items.extend(_suite(lines[index:end], suite.group("word")))
        elif line == "  ● Console" and index + 1 < len(lines):
            end = _block_end(lines, index + 1)
            items.extend(_console(lines[index:end]))
        elif _FAILURE.match(line):
            end = _block_end(lines, index + 1)
            items.append(failure(lines[index:end], path))
        elif is_table(lines, index):
            end = table_end(lines, index)
            items.extend(coverage(lines[index:end]))
        else:
            end = index + 1
            items.append(line)
        index = end
    return items


def _until(lines: Sequence[str], index: int, start: str) -> int:
    while index < len(lines) and not lines[index].startswith(start):
        index += 1
    return index


def _block_end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and not _FAILURE.match(lines[index]) and not _END.match(lines[index]):
        index += 1
    return index


def _listing_end(lines: Sequence[str], index: int) -> int:
    """The names of a suite's tests follow its line without a gap, indented."""
    while index < len(lines) and lines[index].startswith("  ") and not _FAILURE.match(lines[index]):
        index += 1
    return index


def _suite(lines: Sequence[str], word: str) -> Iterator[Piece]:
    if word == "FAIL":
        yield lines[0]
    else:
        yield Fold([lines[0]], "passing suite" if word == "PASS" else "running suite", known=True)
    yield from counted_names(lines[1:], _PASSING)


def _console(lines: Sequence[str]) -> Iterator[Item]:
    """What the code under test printed: each message once, without the stack behind it."""
    yield lines[0]
    entry: list[str] = []
    for line in lines[1:]:
        if _CONSOLE.match(line) and entry:
            yield output(entry, STYLE)
            entry = []
        if entry or _CONSOLE.match(line):
            entry.append(line)
        else:
            yield line
    if entry:
        yield output(entry, STYLE)
