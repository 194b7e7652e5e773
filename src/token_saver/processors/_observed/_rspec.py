"""rspec: numbered failures, the documentation format, and the commands that run the failed examples again."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_FAILURES = rx(r"Failures:$")
_SECTION = rx(
    r"(?:Pending: |Failures:$|Failed examples:$|Finished in |Top \d+ slowest|Deprecation Warnings:|Randomized with seed )"
)
_NUMBERED = rx(r"  \d+\) (?P<id>\S.*)$")
_OUTSIDE = rx(r"An error occurred (?:while loading|in an? `?\w+) ?(?P<id>.*?)\.?$")
_AGAIN = rx(r"rspec (?P<place>\S+|'[^']+') # (?P<id>.*)$")
_TOTALS = rx(
    r"\d+ examples?, (?P<failed>\d+) failures?(?:, \d+ pending)?(?:, (?P<outside>\d+) errors? occurred outside of examples)?$"
)
_OTHER = rx(r".* \((?:FAILED - \d+|PENDING: .*)\)$")
_TREE = rx(r"(?P<indent> *)(?P<name>\S.*)$")
_QUIET = rx(r"[.F*E]+$|Run options: |Randomized with seed |  *(?:include|exclude) \{")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; the counts have to be those of the numbered failures."""
    if capture.command.program not in ("rspec", "turbo_tests") or not is_whole(capture):
        return None
    lines = capture.lines
    totals = [found for line in lines if (found := _TOTALS.match(line))]
    if len(totals) != 1:
        return None
    gathered = Gathered()
    again = {found.group("id"): (found.group("place"), line) for line in lines if (found := _AGAIN.match(line))}
    start = next((at for at, line in enumerate(lines) if _SECTION.match(line) or _OUTSIDE.match(line)), len(lines))
    _tree(lines[:start], gathered, int(totals[0].group(0).partition(" ")[0]))
    _reports(lines[start:], gathered, again)
    expected = int(totals[0].group("failed")) + int(totals[0].group("outside") or 0)
    return gathered.snapshot("rspec") if len(gathered.diagnostics) == expected else None


def _reports(lines: Sequence[str], gathered: Gathered, again: dict[str, tuple[str, str]]) -> None:
    failing = False
    report: list[str] = []
    for line in lines:
        section, outside = _SECTION.match(line), _OUTSIDE.match(line)
        if section or outside or _TOTALS.match(line) or (failing and _NUMBERED.match(line)):
            _add(gathered, report, again)
            report = []
            failing = _FAILURES.match(line) is not None if section else failing
        if outside or (failing and _NUMBERED.match(line)) or report:
            report.append(line)
        elif not _AGAIN.match(line):
            gathered.line(line, _TOTALS)
    _add(gathered, report, again)
    told = {line for one in gathered.diagnostics for line in one.detail.split("\n")}
    gathered.context += [line for _, line in again.values() if line not in told]


def _add(gathered: Gathered, report: Sequence[str], again: dict[str, tuple[str, str]]) -> None:
    if not report:
        return
    found = _NUMBERED.match(report[0]) or _OUTSIDE.match(report[0])
    assert found is not None
    identifier = found.group("id").removesuffix(" FIXED")
    place, command = again.get(identifier, ("", ""))
    lines = [report[0].split(") ", 1)[-1] if _NUMBERED.match(report[0]) else report[0], *report[1:]]
    while not lines[-1].strip():
        lines.pop()
    gathered.test(identifier, _summary(report), [*lines, *([command] if command else [])], location=place)


def _summary(report: Sequence[str]) -> str:
    """Return the message: what follows ``Failure/Error:`` and the statement."""
    told = [line.strip() for line in report[1:] if line.strip()]
    statement = next((at for at, line in enumerate(told) if line.startswith("Failure/Error:")), -1)
    return " ".join(told[statement + 1 : statement + 3]) or report[0].strip()


def _tree(lines: Sequence[str], gathered: Gathered, examples: int) -> None:
    """Read the documentation format: an example that passed carries no mark and has nothing below it.

    It counts only when the leaves are as many as the examples; otherwise the lines may be anything.
    """
    named: list[tuple[int, str]] = []
    passed: list[tuple[str, str]] = []
    marked = 0
    told = [line for line in lines if line.strip()]
    for at, line in enumerate(told):
        found = _TREE.match(line)
        assert found is not None
        depth, name = len(found.group("indent")), found.group("name")
        following = told[at + 1] if at + 1 < len(told) else ""
        named = [one for one in named if one[0] < depth]
        if _OTHER.match(line):
            marked += 1
        elif depth < len(following) - len(following.lstrip()):
            named.append((depth, name))
        elif depth and not _QUIET.match(line):
            passed.append((" ".join([*(one for _, one in named), name]), line))
    if marked + len(passed) == examples and passed:
        gathered.passed += [identifier for identifier, _ in passed]
        leaves = {line for _, line in passed}
        gathered.context += [line for line in told if line not in leaves]
    else:
        gathered.context += told
