"""unittest: a report for each failure and error, verdicts of ``-v``, and the counts at the end."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.failures import is_library
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_RULE = rx(r"={70}$")
_DASHES = rx(r"-{70}$")
_TITLE = rx(r"(?P<word>FAIL|ERROR|UNEXPECTED SUCCESS): (?P<id>\S.*)$")
_RAN = rx(r"Ran \d+ tests? in ")
_VERDICT = rx(r"(?P<id>\S.*?) \.\.\. ok$")
_TEST = rx(r"\S+ \(\S+\)$")
_END = rx(r"(?:FAILED|OK|NO TESTS RAN)(?: \((?P<counts>.*)\))?$")
_COUNT = rx(r"(?<!expected )(?:failures|errors)=(\d+)|unexpected successes=(\d+)")
_FILE = rx(r"\s*File \"(?P<path>[^\"]+)\", line (?P<line>\d+)")
_EXCEPTION = rx(r"[A-Za-z_][\w.]*(?:: |$)")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; its counts have to be the number of reports."""
    if not is_whole(capture):
        return None
    gathered = Gathered()
    lines = capture.lines
    index = 0
    while index < len(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        end = index + 1
        if _RULE.match(lines[index]) and _TITLE.match(following):
            end = _report_end(lines, index + 2)
            _add(gathered, lines[index:end])
        elif _RAN.match(lines[index]) or (gathered.totals and _END.match(lines[index])):
            gathered.totals.append(lines[index])
        else:
            _rest(gathered, lines, index)
        index = end
    return gathered.snapshot("unittest") if _agrees(gathered) else None


def _agrees(gathered: Gathered) -> bool:
    end = _END.match(gathered.totals[-1]) if len(gathered.totals) > 1 else None
    if end is None:
        return False
    return len(gathered.diagnostics) == sum(int(one or other) for one, other in _COUNT.findall(end.group("counts") or ""))


def _report_end(lines: Sequence[str], index: int) -> int:
    """A report ends before the rule of the next, or before the dashes over the count of tests."""
    while index < len(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        titled = _RULE.match(lines[index]) and _TITLE.match(following)
        if titled or _RAN.match(lines[index]) or (_DASHES.match(lines[index]) and _RAN.match(following)):
            return index
        index += 1
    return index


def _add(gathered: Gathered, block: Sequence[str]) -> None:
    title = _TITLE.match(block[1])
    assert title is not None
    told = [line for line in block[3:] if _EXCEPTION.match(line)]
    summary = told[-1] if told else next((line.strip() for line in reversed(block) if line.strip()), "")
    gathered.test(title.group("id"), summary, block, location=_location(block))


def _location(block: Sequence[str]) -> str:
    """Return the innermost place in the user's own code."""
    for line in reversed(block):
        found = _FILE.match(line)
        if found is not None and not is_library(found.group("path")):
            return f"{found.group('path')}:{found.group('line')}"
    return ""


def _rest(gathered: Gathered, lines: Sequence[str], index: int) -> None:
    """A verdict, or something else; the first line of a docstring may stand between a test and its verdict."""
    found = _VERDICT.match(lines[index])
    if found is None:
        gathered.context.append(lines[index])
    elif _TEST.match(found.group("id")):
        gathered.passed.append(found.group("id"))
    else:
        gathered.context.append(lines[index])
        if index and _TEST.match(lines[index - 1]):
            gathered.passed.append(lines[index - 1])
