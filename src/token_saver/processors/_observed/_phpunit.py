"""PHPUnit: numbered errors and failures, testdox, and the counts at the end."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_SECTION = rx(r"There (?:was|were) \d+ (?P<kind>.*):$")
_KINDS = ("error", "errors", "failure", "failures")
_NUMBERED = rx(r"\d+\) (?P<id>\S.*)$")
_CLOSE = rx(r"--$|(?:FAILURES|ERRORS|WARNINGS|OK)\b|There (?:was|were) |Tests: |Time: |Generating code coverage")
_TOTALS = rx(r"Tests: \d+, |OK \(\d+ tests?, |OK, but |(?:FAILURES|ERRORS|WARNINGS)!$|No tests executed!$")
_COUNT = rx(r"(?:Errors|Failures): (\d+)")
_PLACE = rx(r"[^:]+\.php:\d+$")
_DIGITS = tuple("0123456789")
_DOX = rx(r" (?P<mark>[✔✘↩∅☢⚠]) (?P<name>\S.*)$")
_CLASS = rx(r"(?P<name>[^\s\d]\S*(?: [^\s()]+)*)(?: \((?P<full>\S+)\))?$")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; the counts have to be those of the numbered errors and failures."""
    if capture.command.program not in ("phpunit", "paratest", "simple-phpunit") or not is_whole(capture):
        return None
    lines = capture.lines
    gathered = Gathered()
    at = next((index for index, line in enumerate(lines) if _SECTION.match(line) or line.startswith("Time: ")), len(lines))
    numbered = any(_SECTION.match(line) for line in lines)
    _testdox(lines[:at], gathered, failing=not numbered)
    _reports(lines[at:], gathered)
    if not any(line.startswith(("Tests: ", "OK", "No tests")) for line in gathered.totals):
        return None
    failed = sum(int(number) for line in gathered.totals for number in _COUNT.findall(line))
    return gathered.snapshot("phpunit") if len(gathered.diagnostics) == failed else None


def _reports(lines: Sequence[str], gathered: Gathered) -> None:
    failing = False
    report: list[str] = []
    for line in lines:
        section = _SECTION.match(line)
        if _CLOSE.match(line) or (failing and _NUMBERED.match(line)):
            _add(gathered, report)
            report = []
        failing = section.group("kind") in _KINDS if section else failing
        if report or (failing and _NUMBERED.match(line)):
            report.append(line)
        else:
            gathered.line(line, _TOTALS)
    _add(gathered, report)


def _add(gathered: Gathered, report: list[str]) -> None:
    if not report:
        return
    title = _NUMBERED.match(report[0])
    assert title is not None
    summary = next((line.strip() for line in report[1:] if line.strip()), "")
    gathered.test(title.group("id"), summary, [title.group("id"), *report[1:]], location=_location(report))


def _location(report: Sequence[str]) -> str:
    """Return the last place: the test itself stands below the code that it called."""
    words = (line.split()[-1] for line in report if line.endswith(_DIGITS))
    places = [word for word in words if _PLACE.match(word)]
    return places[-1] if places else ""


def _testdox(lines: Sequence[str], gathered: Gathered, *, failing: bool) -> None:
    """Read names below their class; where nothing is numbered the report of a failure stands below its name."""
    owner = ""
    report: list[str] = []
    for index, line in enumerate(lines):
        dox = _DOX.match(line)
        heads = index + 1 < len(lines) and _DOX.match(lines[index + 1]) and _CLASS.match(line)
        if dox or heads:
            _add_dox(gathered, owner, report)
            report = []
        if heads:
            owner = heads.group("full") or heads.group("name")
            gathered.context.append(line)
        elif dox and dox.group("mark") == "✔":
            gathered.passed.append(f"{owner} › {dox.group('name')}")
        elif report or (dox and dox.group("mark") == "✘" and failing):
            report.append(line)
        else:
            gathered.context.append(line)
    _add_dox(gathered, owner, report)


def _add_dox(gathered: Gathered, owner: str, report: list[str]) -> None:
    while report and not report[-1].strip(" │"):
        report.pop()
    if report:
        title = _DOX.match(report[0])
        assert title is not None
        told = (line.strip(" │├┴┐") for line in report[1:])
        summary = next((line for line in told if line), "failed")
        gathered.test(f"{owner} › {title.group('name')}", summary, report, location=_location(report))
