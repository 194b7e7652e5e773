"""dart and flutter: analyze, and test in the compact, expanded and JSON reporters."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Fold, Rules, rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import Finding, report
from token_saver.text.located import rank

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# SEVERITY|TYPE|CODE|FILE|LINE|COLUMN|LENGTH|MESSAGE
_MACHINE = rx(
    r"(?P<level>INFO|WARNING|ERROR)\|[A-Z_]+\|(?P<rule>\w+)\|(?P<path>[^|\n]+)\|(?P<line>\d+)\|(?P<column>\d+)\|\d+\|(?P<text>.*)"
)
_ANALYZE = rx(r"\s*(?P<level>info|warning|error) [•-] (?P<text>.*)")
_PLACE = rx(r"(?P<path>\S+):(?P<line>\d+:\d+)$")
# https://github.com/dart-lang/test/blob/master/pkgs/test/doc/json_reporter.md
_EVENT = rx(r'\{.*"type":"(?P<type>\w+)"')
_QUIET_EVENTS = frozenset(("suite", "group", "allSuites"))
_PROGRESS = rx(r"\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: (?P<name>.*)$")
_NUMBER = rx(r'"test(?:ID":|":\{"id":)(\d+)')
_TOLD = ("[E]", "failed.", "passed!", "skipped", "skipped.")
_NEVER = rx(r"(?!)")
_QUIET = Rules({r"Analyzing \S+\.\.\.$|Resolving dependencies|Downloading packages": "line of progress"})


class DartProcessor(Linter):
    """The first diagnostics of each rule, each failing test with message and own frames; passing tests and events are counted."""

    name = "dart"
    commands = ("dart analyze", "flutter analyze", "dart test", "flutter test")

    def pieces(self, capture: Capture) -> list[Piece]:
        lines = capture.lines
        if any(line.startswith('{"') and _EVENT.match(line) for line in lines[:3]):
            return list(_events(lines))
        if capture.command.subcommand == "test":
            return list(report(list(_tests(lines)), _QUIET, noun="failure", whole=0, share=100))
        return list(report([_diagnostic(line) for line in lines], _QUIET))


def _diagnostic(line: str) -> Item:
    machine = _MACHINE.match(line)
    if machine is not None:
        level, rule, path, place, column, text = machine.group("level", "rule", "path", "line", "column", "text")
        return Finding([line], path, f"{place}:{column}", rule, text, rank(level.lower(), rule))
    found = _ANALYZE.match(line)
    if found is None:
        return line
    mark = " • " if " • " in line else " - "
    parts = [part.strip() for part in found.group("text").split(mark)]
    place = next((each for part in parts if (each := _PLACE.match(part))), None)
    path, at = place.group("path", "line") if place is not None else ("", "")
    text = next((part for part in parts if not _PLACE.match(part)), "")
    return Finding([line], path, at, parts[-1] if len(parts) > 1 else "", text, rank(found.group("level"), ""))


def _events(lines: Sequence[str]) -> Iterator[Piece]:
    """Events of what went well are counted; a test that has another event than its start and a good end is kept."""
    read = [_EVENT.match(line) if line.startswith("{") else None for line in lines]
    speaking = {
        _number(line) for line, found in zip(lines, read, strict=True) if found is not None and _speaks(line, found.group("type"))
    }
    for line, found in zip(lines, read, strict=True):
        kind = found.group("type") if found is not None else ""
        if kind in _QUIET_EVENTS or (kind == "testStart" and _number(line) not in speaking):
            yield Fold([line], "event of progress", known=True, told=True)
        elif kind == "testDone" and not _speaks(line, kind):
            yield Fold([line], "event of passing tests", known=True, told=True)
        else:
            yield line


def _speaks(line: str, kind: str) -> bool:
    if kind == "testDone":
        return '"result":"success"' not in line or '"skipped":true' in line
    return kind in ("error", "print")


def _number(line: str) -> str:
    found = _NUMBER.search(line)
    return found.group(1) if found is not None else ""


def _tests(lines: Sequence[str]) -> Iterator[Item]:
    """A line of progress names a test; below one that fails stands why, indented."""
    for block in reports(lines, _PROGRESS, _NEVER):
        if len(block) > 2:
            yield failure(block)
        elif _PROGRESS.match(block[0]) and not block[0].endswith(_TOLD):
            yield Fold(block, "line of progress", known=True)
        else:
            yield from block
