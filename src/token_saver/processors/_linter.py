"""What linters share: findings of a place and a reason, JSON where it was asked for, and lists of names."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import braced, report
from token_saver.text.located import ANNOTATION, LOCATED, located, rank
from token_saver.text.pieces import Fold
from token_saver.text.report_json import reported

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.folders import Rules
    from token_saver.text.pieces import Piece

NAMED = 50
FIRST = 15


class Reporting(Family):
    """A tool that can report in JSON: findings or tests. What is kept whole here the fallback does not shorten."""

    def pieces(self, capture: Capture) -> list[Piece]:
        return (reported(capture.lines) if asks_for_data(capture.lines) else None) or list(self.read(capture))


class Linter(Reporting):
    """A tool that reports findings.

    ``items`` reads them; ``quiet`` knows the lines around them that may be counted; ``whole`` findings of each rule keep
    their context; ``share`` percent of the allowance are used; ``ranked`` says what a finding matters.
    """

    priority = 27
    quiet: Rules | None = None
    whole = 1
    share = 90

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(self.items(capture.lines), self.quiet, whole=self.whole, share=self.share)

    def items(self, lines: Sequence[str]) -> list[Item]:
        """Return findings and other lines in order."""
        annotated = any(line.startswith("::") for line in lines[:20])
        return located(lines, head=ANNOTATION if annotated else LOCATED, ranked=self.ranked)

    def ranked(self, level: str, rule: str) -> int:
        """Return how much a finding matters."""
        return rank(level, rule)


def asks_for_data(lines: Sequence[str]) -> bool:
    """Tell whether the output is a JSON document; one line of talk may stand before it."""
    return any(line.lstrip()[:1] in ("{", "[") and _opens(line.strip()) for line in lines[:2])


def _opens(line: str) -> bool:
    return (
        line in ("{", "[", "[]", "{}")
        or line.startswith(('{"', '[{"', "[["))
        or (line[:1] in "[{" and line[-1:] in "]}" and '"' in line)
    )


def listed(lines: Sequence[str], noun: str, before: str = "", after: str = "") -> Iterator[Piece]:
    """Yield lines that are names behind the same words: the first in full, the others by name, a shared folder once."""
    rest = lines[FIRST:] if len(lines) > NAMED else []
    yield from lines[: len(lines) - len(rest)]
    if rest:
        yield Fold(
            rest,
            noun,
            known=True,
            names=braced(line.removeprefix(before).removesuffix(after).strip() for line in rest),
            told=True,
        )
