"""Maven: every line has a level in brackets."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.failures import failure, reports
from token_saver.text.findings import Finding, report
from token_saver.text.folders import Rules
from token_saver.text.located import located
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_PLACE = rx(
    r"\[(?:ERROR|WARNING)\] +(?P<path>(?:file://)?(?:[A-Za-z]:)?[^\s:\[(][^:\n]*\.\w+):\s?"
    r"[\[(]?(?P<line>\d+(?:[,:] ?\d+)?)[\])]?:? ?(?P<rest>.*)"
)
# Surefire reports a failing test with its stack below: name(class) before 3, class.name -- since 3.
_FAILED = rx(r"\[ERROR\] +[\w.$]+[^:\n]{0,200} (?:--|-) ?(?:Time elapsed: .* )?<<< |\[ERROR\] +\S.{0,200}  ?Time elapsed: .*<<< ")
_END = rx(r"\[(?:INFO|ERROR|WARNING|DEBUG)\]|\s*$")
_RULED = rx(r"\[INFO\] -{3,}[\[<] ?(?P<what>.*?) ?[\]>]-{3,}$")


ADVICE = "line of advice"


class MavenProcessor(Family):
    """Failures, compiler errors, totals, the reactor's summary, the result; downloads, plugin banners and advice are counted."""

    name = "maven"
    priority = 28
    commands = ("mvn", "mvnw", "mvnd")

    quiet = Rules(
        {
            r"(?:\[INFO\] )?(?:Downloading|Downloaded|Progress)\b": "line of download",
            r"\[INFO\] (?:-{3,}[\[<] ?.* ?[\]>]?-{3,}|[-=]{20,})$|\[(?:INFO|ERROR|WARNING)\] *$": "rule",
            r"\[INFO\] (?:--- \S+|>>> |<<< )": "plugin banner",
            r"\[INFO\] (?:Scanning for projects|Nothing to compile|skip non existing|Copying \d+ resource|Using .* encoding|"
            r"Changes detected|Building jar|Compiling \d+ source|Recompiling| T E S T S|Results:|Not compiling|No sources|"
            r"Inspecting build|Finished at|Using auto detected provider|Starting audit|Parsing|  from |Adding ignore)": (
                "line of routine"
            ),
            r"\[INFO\] Running \S+$": "test class",
            r"\[INFO\] Tests run: \d+, Failures: 0, Errors: 0, Skipped: 0,? .* in \S+": "test class",
            r"\[ERROR\] (?:To see the full stack trace|Re-run Maven using|For more information about the errors|\[Help \d\] http|"
            r"-> \[Help|After correcting the problems|  mvn <args> -rf|Please refer to .* for the individual test results)": (
                ADVICE
            ),
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        items = list(_items(capture.lines))
        for piece in report(list(_once(items)), self.quiet, whole=3, share=100):
            if isinstance(piece, Fold) and piece.noun == ADVICE:
                piece.told = True  # every line of it begins with [ERROR], and none reports one
            yield piece


def _items(lines: Sequence[str]) -> Iterator[Item]:
    for block in reports(lines, _FAILED, _END):
        if _FAILED.match(block[0]) and len(block) > 1:
            yield failure(block)
        else:
            yield from located(block, head=_PLACE) if len(block) > 1 else _single(block[0])


def _single(line: str) -> Iterator[Item]:
    found = _RULED.match(line) if line[-3:] == "---" else None
    if found is not None and found.group("what").strip() and ":" in found.group("what"):
        yield Recast(f"[INFO] {found.group('what')}", [line])
        return
    if line.startswith(("[ERROR] ", "[WARNING] ")):
        yield from located([line], head=_PLACE)
    else:
        yield line


def _once(items: Sequence[Item]) -> Iterator[Item]:
    """The compiler's errors and the tests' messages stand in the summary again, word for word."""
    seen: set[str] = set()
    for item in items:
        own = item.lines if isinstance(item, Finding) else [item] if isinstance(item, str) else []
        told = [line.removeprefix("[ERROR]").strip() for line in own]
        if told and told[0] and own[0].startswith(("[ERROR] /", "[ERROR] file:", "[ERROR]   ")) and seen.issuperset(told):
            yield Fold(own, "repeated line", known=True, told=True)
            continue
        seen.update(told)
        yield item
