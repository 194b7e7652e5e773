"""bun's and deno's test runners."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Fold, rx
from token_saver.text.coverage import coverage, is_table, table_end
from token_saver.text.failures import failure, reports
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PASSED = rx(r"\(pass\) |\s*✓ ")
_SOURCE = rx(r"\s*\d+ \| ")
_CARET = rx(r"\s+\^+\s*$")
_FRAME = rx(r"\s+at .*(?:node_modules|native:|bun:|<anonymous> \(native)")
_DENO_PASSED = rx(r".+ \.\.\. .{0,10}ok \(.*\)$|running \d+ tests? from ")
_DENO_FAILURE = rx(r".+ => \S+:\d+:\d+$")
_DENO_END = rx(r" ?(?:FAILURES|ERRORS) ?$|(?:ok|FAILED) \| \d+ passed|error: ")


class BunTestProcessor(Family):
    """Each failing test with its message, line and own frames, the counts; passing tests and lines of source are counted."""

    name = "bun-test"
    priority = 21
    commands = ("bun test",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_bun(capture.lines)), noun="failure", share=100)


class DenoTestProcessor(Family):
    """Each failing test with its message and own frames, the counts; passing tests are counted."""

    name = "deno-test"
    priority = 21
    commands = ("deno test",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_deno(capture.lines)), noun="failure", whole=0, share=100)


def _bun(lines: Sequence[str]) -> Iterator[Item]:
    """Source comes before the error: the line above the caret is the one that is meant."""
    index = 0
    while index < len(lines):
        line = lines[index]
        following = lines[index + 1] if index + 1 < len(lines) else ""
        end = index + 1
        if _PASSED.match(line):
            yield Fold([line], "passing test", known=True)
        elif _SOURCE.match(line) and not _CARET.match(following):
            yield Fold([line], "line of source", known=True)
        elif _CARET.match(line) or _FRAME.match(line):
            yield Fold([line], "line of context", known=True)
        elif is_table(lines, index):
            end = table_end(lines, index)
            yield from coverage(lines[index:end])
        else:
            yield line
        index = end


def _deno(lines: Sequence[str]) -> Iterator[Item]:
    for block in reports(lines, _DENO_FAILURE, _DENO_END):
        if (block[0].endswith(")") or block[0].startswith("running ")) and _DENO_PASSED.match(block[0]):
            yield Fold(block, "passing test", known=True)
        elif len(block) > 1:
            yield failure(block)
        else:
            yield from block
