"""The text of ``go test``: with and without ``-v``, through gotestsum, with what the program under test printed."""

from __future__ import annotations

from token_saver.processors.go._trace import TRACE, frames, is_library
from token_saver.text import Fold, Recast, rx
from token_saver.text.failures import output
from token_saver.text.findings import STYLE, report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_MOVE = rx(r"(?:::group::)?=== (?P<verb>RUN|PAUSE|CONT|NAME) +(?P<test>\S.*)?$")
_VERDICT = rx(r"(?P<indent> *)--- (?P<word>PASS|FAIL|SKIP|BENCH): (?P<test>.+?)(?: \([\d.]+s\))?$")
_PACKAGE_OK = rx(r"ok  \t(?P<package>\S+)\t(?P<rest>.*)$")
_NO_TESTS = rx(r"\?   \t\S+\t\[no test files\]$|\t\S+\t\tcoverage: 0\.0% of statements$")
_SUM_PASS = rx(r"\s*(?:::group::)?(?:✓|PASS) +(?:Package )?(?P<test>\S+)(?: \((?:[\d.]+m?s|cached)\))?$")
_SUM_OTHER = rx(r"\s*(?:::group::)?(?:✖|FAIL|SKIP|∅) +(?:Package )?\S")
_END_GROUP = "::endgroup::"
_RACE = rx(r"={18}$")
_FUZZ = rx(r"fuzz: elapsed: ")
_PACKAGE_LINE = rx(
    r"(?:FAIL|ok  |PASS|exit status \d+|coverage: |\?   )(?:\t|$|\d)|FAIL\t|DONE \d|=== (?:Failed|Skipped|Errors)|# \S"
)
_FETCHED = rx(r"go: (?:downloading|extracting|finding) \S+ v\S+$")
PACKAGES = 3


def read_tests(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep verdicts that are not PASS with their output, panics, races and package lines; passing tests are counted."""
    return report(list(_items(lines, _failed(lines))), noun="failure", share=120)


def _failed(lines: Sequence[str]) -> dict[str, str]:
    """Return the verdict of each test that has one."""
    verdicts: dict[str, str] = {}
    for line in lines:
        found = _VERDICT.match(line) if "--- " in line else None
        if found is not None and verdicts.get(found.group("test")) != "FAIL":
            verdicts[found.group("test")] = found.group("word")
    return verdicts


def _items(lines: Sequence[str], verdicts: dict[str, str]) -> Iterator[Item]:
    index, test, ok = 0, "", 0
    while index < len(lines):
        line = lines[index]
        move = _MOVE.match(line) if "=== " in line else None
        verdict = _VERDICT.match(line) if "--- " in line else None
        end = index + 1
        if move is not None:
            test = move.group("test") or test
            told = verdicts.get(test) != "PASS" and end < len(lines) and _is_output(lines[end])
            yield line if told else Fold([line], "line of progress", known=True)
        elif verdict is not None:
            test = verdict.group("test")
            yield Fold([line], "passing test", known=True) if verdict.group("word") == "PASS" else line
        elif _SUM_PASS.match(line):
            test = _sum_name(line)
            verdicts.setdefault(test, "PASS")
            yield Fold([line], "passing test", known=True)
        elif TRACE.match(line):
            end = _trace_end(lines, end)
            yield from frames(lines[index:end])
        elif _RACE.match(line):
            end = _race_end(lines, end)
            yield from _race(lines[index:end])
        elif (passed := _PACKAGE_OK.match(line)) is not None:
            ok += 1
            test = ""
            yield _package(line, passed.group("rest"), ok)
        elif _NO_TESTS.match(line):
            yield Fold([line], "package of no test files", known=True)
        elif _FUZZ.match(line) or _FETCHED.match(line) or line == _END_GROUP:
            yield Fold([line], "line of progress", known=True)
        elif _PACKAGE_LINE.match(line) or _SUM_OTHER.match(line):
            test = ""
            yield line
        elif test and verdicts.get(test) == "PASS":
            yield Fold([line], "line of output of passing tests", known=True)
        else:
            end = _output_end(lines, end) if line.strip() else end
            yield from _said(lines[index:end])
        index = end


def _sum_name(line: str) -> str:
    return line.split(" ")[-2] if line.endswith(")") else line.rsplit(" ", 1)[-1]


def _is_output(line: str) -> bool:
    return bool(line.strip()) and not _MOVE.match(line) and not _VERDICT.match(line) and not _PACKAGE_LINE.match(line)


def _output_end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and _is_output(lines[index]) and not _starts_other(lines[index]):
        index += 1
    return index


def _starts_other(line: str) -> bool:
    return line == _END_GROUP or any(known.match(line) for known in (TRACE, _RACE, _PACKAGE_OK, _SUM_PASS, _SUM_OTHER))


def _said(block: Sequence[str]) -> Iterator[Item]:
    """What a failing test said stays; a long text shows both ends."""
    if len(block) <= 30:
        yield from block
        return
    yield from block[:12]
    yield output(block[12:-12], STYLE)
    yield from block[-12:]


def _package(line: str, rest: str, ok: int) -> Item:
    """The first passing packages show that the tool said so; coverage is a result and stays."""
    if "coverage: " in rest or ok <= PACKAGES:
        return line if "coverage: " not in rest else Recast(" ".join(line.split()), [line])
    return Fold([line], "passing package", known=True)


def _trace_end(lines: Sequence[str], index: int) -> int:
    """A trace goes on to the line that closes its package."""
    while index < len(lines) and not any(known.match(lines[index]) for known in (_PACKAGE_LINE, _VERDICT, _MOVE)):
        index += 1
    return index


def _race_end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and not _RACE.match(lines[index]):
        index += 1
    return min(index + 1, len(lines))


def _race(block: Sequence[str]) -> Iterator[Piece]:
    """Both accesses with the user's frames; a frame is a function and the place below it."""
    index = 0
    while index < len(block):
        place = block[index + 1] if index + 1 < len(block) else ""
        if block[index].startswith("  ") and place.startswith("      ") and is_library(block[index], place):
            yield Fold(block[index : index + 2], "line of library frames", known=True)
            index += 2
        else:
            yield block[index]
            index += 1
