"""ctest and googletest."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Fold, Recast, rx
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_RESULT = rx(r" *\d+/\d+ Test +#(?P<number>\d+): (?P<name>\S+) \.*(?P<verdict>.*)$")
_SAID = rx(r"(?P<number>\d+): (?P<text>.*)$|(?P<empty>\d+):$")
_QUIET = rx(
    r"(?:UpdateCTestConfiguration|Constructing a list of tests|Done constructing|Updating test list|Added \d+ tests|"
    r"Checking test dependency graph|Test project |test \d+$| +Start +\d+: )"
)
_SET_UP = rx(r"(?:Test command: |Working Directory: |Test timeout computed|Environment variables: )")
_GTEST = rx(r"\[(?: RUN      |       OK |-{10}|={10}) ?\]|Note: Google Test filter|Running main\(\) from")
_DOTS = rx(r" ?\.{3,}")
_PASSED_LIST = "The following tests passed:"


class CtestProcessor(Family):
    """Each test that did not pass with its output, the counts; passing tests with their output, and set-up, are counted."""

    name = "ctest"
    priority = 21
    commands = ("ctest",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_items(capture.lines)), noun="failure", share=100)


def _items(lines: Sequence[str]) -> Iterator[Item]:
    passed = _passed(lines)
    listing = False
    for line in lines:
        result = _RESULT.match(line) if " Test" in line else None
        said = _SAID.match(line) if line[:1].isdigit() else None
        listing = line == _PASSED_LIST or (listing and line.startswith("\t"))
        if listing:
            yield Fold([line], "name of a passing test repeated", known=True, told=True)
        elif result is not None:
            yield _result(line, result.group("verdict"))
        elif said is not None:
            number, text = said.group("number") or said.group("empty"), said.group("text") or ""
            yield _output(line, text, number in passed)
        elif _QUIET.match(line):
            yield Fold([line], "line of set-up", known=True)
        elif _GTEST.match(line):
            yield Fold([line], "line of passing tests", known=True)
        else:
            yield line


def _passed(lines: Sequence[str]) -> set[str]:
    found = (_RESULT.match(line) for line in lines if " Test" in line)
    return {each.group("number") for each in found if each is not None and each.group("verdict").split()[:1] == ["Passed"]}


def _result(line: str, verdict: str) -> Item:
    if verdict.split()[:1] == ["Passed"]:
        return Fold([line], "passing test", known=True)
    return Recast(" ".join(_DOTS.sub(" ", line).split()), [line])


def _output(line: str, text: str, passed: bool) -> Item:
    if _SET_UP.match(text):
        return Fold([line], "line of set-up", known=True)
    if passed:
        return Fold([line], "line of output of passing tests", known=True)
    return Fold([line], "line of passing tests", known=True) if _GTEST.match(text) else line
