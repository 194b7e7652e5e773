"""sbt, mill and bloop: the builders of Scala, with scalac and the test frameworks inside."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import ERROR, WARNING, Finding, report
from token_saver.text.folders import Rules
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# sbt: "[error] path:6:3: message", its source below with the same level; bloop: "[E] [E1] path:5:21".
_PLACE = rx(
    r"\[(?P<level>error|warn|E|W)\] (?:-- (?:\[\w+\] )?[\w ]+: |\[\w\d+\] )?(?P<path>(?:[A-Za-z]:)?[^\s:\[(][^:\n]*\.\w+):"
    r"(?P<line>\d+(?::\d+)?)(?::? (?P<text>.*?))?(?: -+)?$"
)
_BELOW = rx(
    r"\[(?:error|warn|E|W)\]  ?(?! *(?:one|two|three|four|\d+) (?:error|warning)s? |\(|Total time|stack trace|Failed )"
    r"(?:\s|\S.*[^:]$)"
)
_COUNTED = rx(r"\[(?:error|warn)\] (?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:error|warning)s? ")


class SbtProcessor(Family):
    """Errors with their source, failed tests, totals and the result; resolution, loading and passing tests are counted."""

    name = "sbt"
    priority = 28
    commands = ("sbt", "sbtn", "bloop", "mill", "scala-cli")
    quiet = Rules(
        {
            r"\[info\] (?:Resolving \S|downloading https?://|\[SUCCESSFUL|Fetch|Done updating|Updating |Downloaded|Getting )": (
                "line of resolution"
            ),
            r"\[info\] (?:loading|Loading|welcome to sbt|set current project|resolving key references|terminate the server|"
            r"Set current project|Non-compiled module|  Compilation completed)": "line of loading",
            r"\[info\] - .*(?<!\*\*\*)$|\[info\]   \+ |\s+\+ \S.* \d|==> (?:i|s) ": "passing test",
            r"The test execution was successfully closed\.$|=+$|Execution took \d+ms$": "rule",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_again(_items(capture.lines))), self.quiet, whole=3)


def _items(lines: Sequence[str]) -> Iterator[Item]:
    index, total = 0, len(lines)
    while index < total:
        line = lines[index]
        found = _PLACE.match(line) if line[:1] == "[" else None
        index += 1
        if found is None:
            yield line
            continue
        start = index - 1
        level = line[: line.index("]") + 1]
        while index < total and _continues(lines[index], level):
            index += 1
        rank = ERROR if found.group("level") in ("error", "E") else WARNING
        text = found.group("text") or (lines[start + 1] if start + 1 < index else "")
        block = list(lines[start:index])
        head = 1 if found.group("text") else min(3, len(block))
        yield Finding(block, found.group("path"), found.group("line"), "", text, rank, head=head)


def _continues(line: str, level: str) -> bool:
    return line.startswith(level) and not _PLACE.match(line) and not _COUNTED.match(line) and _BELOW.match(line) is not None


def _again(items: Iterable[Item]) -> Iterator[Item]:
    """Some test reports stand twice: below the test, and again at the end."""
    seen: set[str] = set()
    again = False
    for item in items:
        if not isinstance(item, str):
            yield item
            continue
        again = again or item.rstrip() == "Failed:"
        if again and item.strip() and item.strip() in seen:
            yield Fold([item], "repeated line", known=True, told=True)
            continue
        seen.add(item.strip())
        yield item
