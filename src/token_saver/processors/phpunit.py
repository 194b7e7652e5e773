"""phpunit and pest."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.text import Fold, Recast, paragraphs, rx
from token_saver.text.failures import failure, reports
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PROGRESS = rx(r"[.FEWRSIND]+(?: +\d+ / \d+ \( *\d+%\))?$")
_NUMBERED = rx(r"\d+\) \S")
_END = rx(r"--$|(?:FAILURES|ERRORS|WARNINGS|OK)\b|There (?:was|were) |Tests: |Time: |Generating code coverage")
_PEST_SUITE = rx(r"   (?P<word>PASS|FAIL|WARN|TODO|DEPR|NOTI|RISK|SKIP)  \S")
_PASSED = rx(r"\s+[✓✔] ")
_NOTE = rx(r"  // ")
_PEST_FAILURE = rx(r"   FAILED  ")
_PEST_END = rx(r"  Tests:  |  Duration: ")
_RULE = rx(r"\s*─{10,}\s*$")


class PhpunitProcessor(Family):
    """Each failing test with its message, difference and place, other verdicts by name; passing tests and suites are counted."""

    name = "phpunit"
    priority = 21
    commands = ("phpunit", "pest", "paratest", "codecept run", "artisan test", "simple-phpunit")

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        pest = any(_PEST_SUITE.match(line) or _PEST_FAILURE.match(line) for line in lines)
        return report(list(_pest(lines) if pest else _phpunit(lines)), noun="failure", whole=0, share=100)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._phpunit import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _phpunit(lines: Sequence[str]) -> Iterator[Item]:
    for block in reports(lines, _NUMBERED, _END):
        if _NUMBERED.match(block[0]):
            yield failure(block)
        elif _PROGRESS.match(block[0]):
            yield Fold(block, "line of progress", known=True)
        elif _PASSED.match(block[0]):
            yield Fold(block, "passing test", known=True)
        else:
            yield from block


def _pest(lines: Sequence[str]) -> Iterator[Item]:
    at = next((index for index, line in enumerate(lines) if _PEST_FAILURE.match(line) or _RULE.match(line)), len(lines))
    for block in paragraphs(lines[:at]):
        yield from _suite(block)
    for block in reports(lines[at:], _PEST_FAILURE, _PEST_END):
        if _PEST_FAILURE.match(block[0]):
            yield failure(block)
        else:
            yield from (Fold([line], "rule", known=True, told=True) if _RULE.match(line) else line for line in block)


def _suite(block: Sequence[str]) -> Iterator[Item]:
    """A suite whose tests all pass is counted with them; else its name stays over what is not a passing test."""
    passing = [False, *_passing(block[1:])]
    suite = _PEST_SUITE.match(block[0])
    if suite is None:
        yield block[0]
    elif suite.group("word") == "PASS" and all(passing[1:]):
        yield Fold(block[:1], "passing suite", known=True)
    else:
        yield Recast(" ".join(block[0].split()), block[:1])
    for line, passed in zip(block[1:], passing[1:], strict=True):
        if not passed or not line.strip():
            yield line
        else:
            yield Fold([line], "passing test" if _PASSED.match(line) else "note of passing tests", known=True)


def _passing(lines: Sequence[str]) -> Iterator[bool]:
    """A note below a test belongs to it."""
    passed = False
    for line in lines:
        passed = not line.strip() or _PASSED.match(line) is not None or (passed and _NOTE.match(line) is not None)
        yield passed
