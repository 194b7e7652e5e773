"""What libtest prints: a verdict for each test, then what the failed ones printed, for each program of tests."""

from __future__ import annotations

from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.processors._observed._gather import Gathered

_PROGRAM = rx(r"     Running (?:unittests )?(?P<file>\S+)(?: \(.*\))?$|   Doc-tests (?P<crate>\S+)$")
_VERDICT = rx(r"test (?P<name>.+?)(?: - (?:should panic|compile(?: fail)?))? \.\.\. (?P<word>ok|FAILED|ignored|bench)\b.*$")
_REPORT = rx(r"---- (?P<name>.+?) std(?:out|err) ----$")
_RESULT = rx(r"test result: (?:ok|FAILED)\. (?P<passed>\d+) passed; (?P<failed>\d+) failed;")
_PANIC = rx(r"thread '.*' (?:\(\d+\) )?panicked at (?:.*, )?(?P<place>[^\s,:]+:\d+)(?::\d+)?:?$")
_LINE_OF_DOC = rx(r" \(line \d+\)")


class _Program:
    """One program of tests while it is read."""

    __slots__ = ("failed", "name", "reports", "verdicts")

    def __init__(self, name: str) -> None:
        self.name = name
        self.failed: dict[str, str] = {}
        self.reports: dict[str, list[str]] = {}
        self.verdicts = 0

    def identifier(self, test: str) -> str:
        """Return the id of *test*: its program and its path, of a test in documentation without the line."""
        return f"{self.name} {_LINE_OF_DOC.sub('', test)}".strip()


def read(lines: Sequence[str], gathered: Gathered) -> list[str] | None:
    """Add tests to *gathered* and return the lines that are not about one; None when totals and verdicts disagree."""
    rest: list[str] = []
    program = _Program("")
    report: list[str] | None = None
    for line in lines:
        if found := _PROGRAM.match(line):
            program, report = _Program(found.group("file") or f"doc {found.group('crate')}"), None
            rest.append(line)
        elif found := _RESULT.match(line):
            if not _close(program, gathered, int(found.group("failed"))):
                return None
            program, report = _Program(program.name), None
            rest.append(line)
        elif report is None and (found := _VERDICT.match(line)):
            _verdict(program, found.group("name"), found.group("word"), line, gathered, rest)
        elif found := _REPORT.match(line):
            report = program.reports.setdefault(found.group("name"), [])
            report.append(line)
        elif report is not None and line == "failures:":
            report = None
            rest.append(line)
        else:
            (rest if report is None else report).append(line)
    return rest if not program.failed and not program.reports else None


def _verdict(program: _Program, name: str, word: str, line: str, gathered: Gathered, rest: list[str]) -> None:
    if word == "ok":
        gathered.passed.append(program.identifier(name))
    elif word == "FAILED":
        program.failed[name] = line
    else:
        rest.append(line)


def _close(program: _Program, gathered: Gathered, failed: int) -> bool:
    """Add the failed tests of *program*; False when they are not as many as it says."""
    if len(program.failed) != failed or not program.reports.keys() <= program.failed.keys():
        return False
    for name, verdict in program.failed.items():
        report = program.reports.get(name, [])
        place, summary = _reason(report)
        gathered.test(program.identifier(name), summary or verdict, [verdict, *report], location=place, name=name)
    return True


def _reason(report: Sequence[str]) -> tuple[str, str]:
    for at, line in enumerate(report):
        found = _PANIC.match(line)
        if found is not None:
            return found.group("place"), report[at + 1] if at + 1 < len(report) else ""
    return "", next((line for line in report[1:] if line.strip()), "")
