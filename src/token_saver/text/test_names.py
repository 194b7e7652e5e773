"""Trees of test names: passing tests are counted, a heading is shown when something below it is."""

from __future__ import annotations

from token_saver.text.pieces import Fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text.pieces import Piece
    from token_saver.text.rx import Rx


def counted_names(lines: Sequence[str], passing: Rx, *, failing: Rx | None = None) -> Iterator[Piece]:
    """Count the lines that *passing* matches, and the headings over nothing else; every other line stays.

    A heading is a line that *passing* does not match, above a line with a greater indent. Where passing tests carry no
    mark (rspec) give *failing* instead: then every name that is no heading and that *failing* does not find is counted.
    """
    waiting: list[tuple[int, str]] = []
    following = _following_indents(lines)
    for line, deeper in zip(lines, following, strict=True):
        if not line.strip():
            yield line
            continue
        indent = len(line) - len(line.lstrip())
        yield from _closed(waiting, indent)
        if passing.match(line):
            yield Fold([line], "passing test", known=True)
        elif deeper > indent:
            waiting.append((indent, line))
        elif failing is not None and not failing.search(line):
            yield Fold([line], "passing test", known=True)
        else:
            yield from (heading for _, heading in waiting)
            waiting.clear()
            yield line
    yield from _closed(waiting, 0)


def _closed(waiting: list[tuple[int, str]], indent: int) -> Iterator[Piece]:
    """Headings whose tests are over and were all counted are counted too."""
    while waiting and waiting[-1][0] >= indent:
        yield Fold([waiting.pop()[1]], "heading", known=True)


def _following_indents(lines: Sequence[str]) -> Iterable[int]:
    """Return the indent of the next line with text, for each line; -1 at the end."""
    indents = [-1] * len(lines)
    following = -1
    for index in range(len(lines) - 1, -1, -1):
        indents[index] = following
        line = lines[index]
        if line.strip():
            following = len(line) - len(line.lstrip())
    return indents
