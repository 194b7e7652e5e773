"""Maven: every line has a level in brackets."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_PLACE = rx(r"\[(?:ERROR|WARNING)\] (?P<path>(?:[A-Za-z]:)?[^\s:\[][^:\n]*\.\w+):\[?(?P<line>\d+(?:,\d+)?)\]?:? ?(?P<rest>.*)")


class MavenProcessor(Family):
    """Failures, compiler errors, totals, the reactor's summary and the result; downloads and plugin banners are counted."""

    name = "maven"
    priority = 28
    commands = ("mvn", "mvnw", "mvnd")

    quiet = Rules(
        {
            r"(?:\[INFO\] )?(?:Downloading|Downloaded|Progress)\b": "line of download",
            r"\[INFO\] -{3,}[\[<] ?.* ?[\]>]?-{3,}$|\[INFO\] [-=]{20,}$|\[(?:INFO|ERROR|WARNING)\] *$": "rule line",
            r"\[INFO\] --- \S+|\[INFO\] >>> |\[INFO\] <<< ": "plugin banner",
            r"\[INFO\] (?:Scanning for projects|Nothing to compile|skip non existing|Copying \d+ resource|Using .* encoding|"
            r"Changes detected|Building jar|Compiling \d+ source|Recompiling| T E S T S|Results:|Not compiling|No sources|"
            r"Inspecting build|Finished at|Using auto detected provider|Starting audit|Total time|Parsing)": "line of routine",
            r"\[INFO\] Running \S+$": "test class",
            r"\[INFO\] Tests run: \d+, Failures: 0, Errors: 0, Skipped: 0,? .* in \S+": "test class",
            r"\[ERROR\] (?:To see the full stack trace|Re-run Maven using|For more information about the errors|\[Help \d\] http|"
            r"-> \[Help|After correcting the problems)": "line of advice",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(located(capture.lines, head=_PLACE), self.quiet)
