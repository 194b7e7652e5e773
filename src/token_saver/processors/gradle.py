"""Gradle, with javac, kotlinc and JUnit inside."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.compiled import compiled
from token_saver.text.failures import failure
from token_saver.text.findings import LARGE, report
from token_saver.text.folders import Rules, allowance, narrowed
from token_saver.text.located import located
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

# kotlinc: "e: file:///path:87:5 message", before 1.9 "e: /path: (87, 5): message".
_KOTLIN = rx(r"(?P<level>[ew]): (?P<path>(?:file://)?[^\s:][^:\n]*): ?\(?(?P<line>\d+(?:(?::|, )\d+)?)\)?:? ?(?P<rest>.*)")
_TASK = rx(r"(?:> Task )?:\S+(?: [A-Z-]+)?$")
# The last task tells how far the build went, even when it had nothing to do.
_IDLE = rx(r"> Task :\S+ (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED)$")
_DEPENDENCY = rx(r"(?P<guides>[|+\\ ]*[+\\]--- )(?P<name>.*?)(?: \((?:\*|c|n)\))?$")


class GradleProcessor(Family):
    """What went wrong, failed tests and compiler errors whole, totals and the result; tasks that went through are counted."""

    name = "gradle"
    priority = 28
    commands = ("gradle", "gradlew", "./gradlew")

    quiet = Rules(
        {
            r"(?:> Task )?:?\S+ (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED)$": "task without work",
            r"Download(?:ing)? https?://|> Configure project|> Transform |\.{10}\d+%": "line of preparation",
            r"(?:Starting a Gradle Daemon|Daemon will be stopped|To honour the JVM settings|Welcome to Gradle|"
            r"Here are the highlights|For more details see|Reusing configuration cache|Configuration cache entry)": (
                "line of banner"
            ),
            r"> (?:Run with|Get more help|Get full insights)|Run with --|\* Try:$|\* Get more help": "line of advice",
            r"\S.* PASSED$": "passing test",
            r"(?:Deprecated Gradle features were used|"
            r"You can use '--warning-mode all'|For more on this, please refer)": "line of advice",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if sum(map(bool, map(_DEPENDENCY.match, lines))) * 2 > len(lines):
            return narrowed(list(_tree(lines)), allowance(len(capture.text)) * 3 // 5, "dependency", _worth)
        items = list(_items(lines))
        last = max((at for at, item in enumerate(items) if isinstance(item, str) and _TASK.match(item)), default=-1)
        line = items[last] if last >= 0 else ""
        if isinstance(line, str) and _IDLE.match(line):
            items[last] = Recast(line.removeprefix("> Task "), [line])
        return report(items, self.quiet, whole=3, share=30 if len(capture.text) > LARGE else 80)


def _items(lines: Sequence[str]) -> Iterator[Item]:
    """Part failed tests from the rest, in which compilers speak."""
    done = at = 0
    while at < len(lines):
        start = at
        at += 1
        if not lines[start].endswith(" FAILED") or lines[start].startswith(("> ", ":", "FAILURE", "BUILD")):
            continue
        while at < len(lines) and lines[at][:1] in (" ", "\t"):
            at += 1
        if at > start + 1:
            yield from _compiled(lines[done:start])
            yield failure(lines[start:at])
            done = at
    yield from _compiled(lines[done:])


def _compiled(lines: Sequence[str]) -> Iterator[Item]:
    for item in compiled(lines):
        if isinstance(item, str) and item[:3] in ("e: ", "w: "):
            yield from located([item], head=_KOTLIN, ranked=_kotlin)
        else:
            yield item


def _kotlin(level: str, rule: str) -> int:
    return 2 if level == "error" else 1


def _tree(lines: Sequence[str]) -> Iterator[Piece]:
    """Each dependency where it stands first; a blank a level in place of the guides; empty configurations are counted."""
    seen: set[str] = set()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        found = _DEPENDENCY.match(line)
        if found is not None:
            name = found.group("name")
            yield Fold([line], "repeated dependency", known=True, told=True) if name in seen else line
            seen.add(name)
        elif following == "No dependencies" and line:
            yield Fold([line], "configuration without dependencies", known=True, names=line.partition(" ")[0])
        elif line == "No dependencies" or line.startswith("-----") or not line:
            yield Fold([line], "rule", known=True)
        else:
            yield line


def _worth(line: str) -> int:
    """Configurations and versions that were changed first, then what the build asks for itself, then what comes with it."""
    found = _DEPENDENCY.match(line)
    if found is None:
        return 3 if line.strip() else 0
    if "->" in line or "FAILED" in line:
        return 3
    return 2 if len(found.group("guides")) <= 5 else 1
