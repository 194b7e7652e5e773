"""The short test summary: ids with their reasons, one entry a line or, with ``-vv``, over several lines."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.text import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

_WORDS = r"FAILED|ERROR|SUBFAIL(?:ED)?|SKIPPED|SUBSKIP(?:PED)?|XFAIL|XPASS|PASSED|SUBPASS(?:ED)?|RERUN"
_ENTRY = rx(rf"({_WORDS})((?:\[[^\]]*\])? ?(?:\([^)]*\))?) (\S.*)")
_PER_REASON = 2


class Entry:
    """One line of the summary: its word, what it names, the lines below it; *used* when a failure above took it over."""

    __slots__ = ("extra", "line", "more", "named", "used", "word")

    def __init__(self, line: str, word: str, extra: str, named: str) -> None:
        self.line = line
        self.word = word
        self.extra = extra
        self.named = named
        self.more: list[str] = []
        self.used = False

    def ids(self) -> Iterator[tuple[str, str]]:
        """Yield (id, reason) for each way to read the line: an id may hold `` - `` itself."""
        at = self.named.find(" - ")
        while at >= 0:
            yield self.named[:at], self.named[at + 3 :]
            at = self.named.find(" - ", at + 3)
        yield self.named, ""

    def reason(self) -> str:
        """Return the reason, "" where there is none."""
        return next(self.ids())[1]


def read(lines: Sequence[str]) -> tuple[list[str], list[Entry]]:
    """Return the lines before the first entry, and the entries."""
    before: list[str] = []
    entries: list[Entry] = []
    for line in lines:
        found = _ENTRY.match(line)
        if found is not None:
            entries.append(Entry(line, found.group(1), found.group(2), found.group(3)))
        else:
            (entries[-1].more if entries else before).append(line)
    return before, entries


def mark(entries: Sequence[Entry]) -> Iterator[Mark]:
    """Mark the entries that no failure took over; skips and expected failures are told once a reason."""
    seen: dict[str, int] = {}
    for entry in entries:
        if not entry.used:
            reason = entry.word + entry.reason() if entry.word != "SKIPPED" else entry.named.partition(": ")[2]
            count = seen[reason] = seen.get(reason, 0) + 1
            yield _worth(entry.word, count), _NOUNS.get(entry.word, "line of summary"), entry.line
        for line in entry.more:
            yield (m.CONTEXT if line.strip() else m.NEVER), "line of summary", line


_NOUNS = {
    "SKIPPED": "skipped test",
    "XFAIL": "expected failure",
    "PASSED": "passing test",
    "RERUN": "rerun",
}


def _worth(word: str, count: int) -> int:
    if word in ("PASSED", "SUBPASS", "SUBPASSED"):
        return m.NEVER
    if word in ("SKIPPED", "XFAIL", "RERUN", "SUBSKIP", "SUBSKIPPED"):
        return m.FRAME if count <= _PER_REASON else m.NEVER
    return m.ALWAYS
