"""bazel and buck: actions that failed, what their compilers said, tests, the result."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.compiled import compiled
from token_saver.text.findings import report
from token_saver.text.folders import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class BazelProcessor(Family):
    """Errors and failed tests whole, targets built, the result; loading, analysis, progress and passed tests are counted."""

    name = "bazel"
    priority = 25
    commands = ("bazel", "bazelisk", "blaze", "buck", "buck2", "pants", "please", "plz")
    quiet = Rules(
        {
            r"(?:Loading|Analyzing): |\[[\d,]+ / [\d,]+\] |Computing main repo mapping|Checking cached actions|"
            r"    (?:Fetching|currently loading): ": "line of progress",
            r"(?:INFO: )?(?:Invocation ID|Analyzed \d+ target|Found \d+ (?:test )?target|Elapsed time|Reading rc options|"
            r"  Inherited|Streaming build results|Repository \S+ instantiated at|Starting local Bazel server)": "line of routine",
            r"//\S+ +(?:\(cached\) )?PASSED in ": "passing test",
            r"Use --(?:sandbox_debug|verbose_failures)": "line of advice",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(compiled(capture.lines), self.quiet, whole=3)
