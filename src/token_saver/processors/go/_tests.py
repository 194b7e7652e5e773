"""The text of ``go test``: with and without ``-v``, through gotestsum, with what the program under test printed."""

from __future__ import annotations

from token_saver.processors.go._trace import TRACE, frames, is_library
from token_saver.text import Fold, Recast, rx
from token_saver.text.failures import failure
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_KIND = rx(
    r"(?P<move>(?:::group::)?=== (?:RUN|PAUSE|CONT|NAME)\b)"
    r"|(?P<verdict> *--- (?:PASS|FAIL|SKIP|BENCH): )"
    r"|(?P<ok>ok  \t)"
    r"|(?P<none>\?   \t\S+\t\[no test files\]$|\t\S+\t\tcoverage: 0\.0% of statements$)"
    r"|(?P<passed>\s*(?:::group::)?(?:✓|PASS) +(?:Package )?\S+(?: \((?:[\d.]+m?s|cached)\))?$)"
    r"|(?P<trace>panic: |fatal error: |goroutine \d+ |SIG[A-Z]+: |\[signal )"
    r"|(?P<race>={18}$)"
    r"|(?P<progress>fuzz: elapsed: |::endgroup::$|go: (?:downloading|extracting|finding) \S+ v\S+$)"
    r"|(?P<package>(?:FAIL|PASS|exit status \d+|coverage: )(?:\t|$|\d)|FAIL\t|DONE \d"
    r"|=== (?:Failed|Skipped|Errors|FAIL|SKIP)|# \S"
    r"|\s*(?:::group::)?(?:✖|FAIL|SKIP|EMPTY|∅) +(?:Package )?\S)"
)
_MOVED = rx(r"(?:::group::)?=== \w+ +(?P<test>\S.*)$")
_VERDICT = rx(r" *--- (?P<word>\w+): (?P<test>.+?)(?: \([\d.]+s\))?$")
PACKAGES = 3


def read_tests(lines: Sequence[str]) -> Iterator[Piece]:
    """Keep verdicts that are not PASS with their output, panics, races and package lines; passing tests are counted."""
    kinds = [found.lastgroup if (found := _KIND.match(line)) is not None else None for line in lines]
    return report(list(_items(lines, kinds, _verdicts(lines, kinds))), noun="failure", whole=0, share=120)


def _verdicts(lines: Sequence[str], kinds: Sequence[str | None]) -> dict[str, str]:
    """Return the verdict of each test that has one; a failure counts more than a pass in another run."""
    verdicts: dict[str, str] = {}
    for line, kind in zip(lines, kinds, strict=True):
        found = _VERDICT.match(line) if kind == "verdict" else None
        if found is not None and verdicts.get(found.group("test")) != "FAIL":
            verdicts[found.group("test")] = found.group("word")
    return verdicts


def _items(lines: Sequence[str], kinds: Sequence[str | None], verdicts: dict[str, str]) -> Iterator[Item]:
    index, test, ok = 0, "", 0
    while index < len(lines):
        line, kind = lines[index], kinds[index]
        end = index + 1
        if kind == "move":
            found = _MOVED.match(line)
            test = found.group("test") if found is not None else test
            end = index + 1 if verdicts.get(test) == "PASS" else _output_end(lines, kinds, end)
            yield failure(lines[index:end]) if end > index + 1 else Fold([line], "line of progress", known=True)
        elif kind == "verdict":
            verdict = _VERDICT.match(line)
            test = verdict.group("test") if verdict is not None else ""
            if line.lstrip().startswith("--- PASS"):
                yield Fold([line], "passing test", known=True)
            else:
                end = _output_end(lines, kinds, end)
                yield failure(lines[index:end])
        elif kind == "passed":
            test = _name(line)
            verdicts.setdefault(test, "PASS")
            yield Fold([line], "passing test", known=True)
        elif kind == "trace" and TRACE.match(line):
            end = _trace_end(kinds, end)
            yield from frames(lines[index:end])
        elif kind == "race":
            end = _race_end(kinds, end)
            yield from _race(lines[index:end])
        elif kind == "ok":
            ok += 1
            test = ""
            yield _package(line, ok)
        elif kind == "none" or kind == "progress":
            yield Fold([line], "package of no test files" if kind == "none" else "line of progress", known=True)
        elif kind == "package":
            test = ""
            yield line
        elif test and verdicts.get(test) == "PASS":
            yield Fold([line], "line of output of passing tests", known=True)
        else:
            yield line
        index = end


def _name(line: str) -> str:
    return line.split(" ")[-2] if line.endswith(")") else line.rsplit(" ", 1)[-1]


def _output_end(lines: Sequence[str], kinds: Sequence[str | None], index: int) -> int:
    """What a test printed goes on to the next line of the runner, or to a blank one."""
    while index < len(lines) and kinds[index] is None and lines[index].strip():
        index += 1
    return index


def _package(line: str, ok: int) -> Item:
    """The first passing packages show that the tool said so; coverage is a result and stays."""
    if "coverage: " in line:
        return Recast(" ".join(line.split()), [line])
    return line if ok <= PACKAGES else Fold([line], "passing package", known=True)


def _trace_end(kinds: Sequence[str | None], index: int) -> int:
    """A trace goes on to the line that closes its package."""
    while index < len(kinds) and kinds[index] not in ("package", "verdict", "move", "ok"):
        index += 1
    return index


def _race_end(kinds: Sequence[str | None], index: int) -> int:
    while index < len(kinds) and kinds[index] != "race":
        index += 1
    return min(index + 1, len(kinds))


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
