"""dotnet test and build."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Fold, Rules, rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import Finding, report
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# path(line,column): error CS1525: message [project]
_MSBUILD = rx(r"\s*(?P<path>(?:[A-Za-z]:(?=[\\/]))?[^\s:(][^:(\n]*)\((?P<line>\d+(?:,\d+)?)(?:,\d+)*\): (?P<rest>.*)")
_PROJECT = rx(r" \[[^\]\n]*proj(?:::[^\]\n]*)?\]$")
_FAILED = rx(r"  (?:Failed|X) \S.*\[[<\d]")
_END = rx(
    r"(?:Failed!|Passed!|Test Run |Total tests:|  (?:Passed|Skipped|Failed|X|√|!) \S|\[xUnit|Build |Results File|"
    r"\S[^(\n]*\(\d+,\d+\): )"
)
_QUIET = Rules(
    {
        r"  (?:Passed|√) \S.*\[": "passing test",
        r"\s*Determining projects to restore|\s*All projects are up-to-date for restore|\s*Restored \S|Starting test execution|"
        r"VSTest version|Microsoft \(R\)|Copyright \(C\)|A total of \d+ test files? matched|\s*\S+ -> \S": "line of set-up",
    }
)


class DotnetProcessor(Family):
    """Compile errors, failing tests with message and own frames, the counts; passing tests, set-up and repeats are counted."""

    name = "dotnet"
    priority = 21
    commands = ("dotnet", "vstest.console")

    def read(self, capture: Capture) -> Iterable[Piece]:
        command = capture.command
        if command.subcommand not in ("test", "build", "publish", "run", "restore", "pack", "msbuild", "vstest", "watch"):
            return capture.lines
        return report(list(_once(_items(capture.lines))), _QUIET, whole=3, share=100)


def _items(lines: list[str]) -> Iterator[Item]:
    for block in reports(lines, _FAILED, _END):
        if _FAILED.match(block[0]):
            yield failure(block)
        else:
            yield from located(block, head=_MSBUILD)


def _once(items: Iterable[Item]) -> Iterator[Item]:
    """A build names every diagnostic twice: where it happens, and again before the counts."""
    seen: set[str] = set()
    for item in items:
        if isinstance(item, Finding) and item.picked is None:
            line = item.lines[0].strip()
            item.text = _PROJECT.sub("", item.text[-500:])
            if line in seen:
                yield Fold(item.lines, "repeated diagnostic", known=True, told=True)
                continue
            seen.add(line)
        yield item
