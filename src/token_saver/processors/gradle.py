"""Gradle, with javac, kotlinc and JUnit inside."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class GradleProcessor(Family):
    """What went wrong, failed tests and compiler errors whole, totals and the result; tasks that went through are counted."""

    name = "gradle"
    priority = 28
    commands = ("gradle", "gradlew", "./gradlew")

    quiet = Rules(
        {
            r"(?:> Task )?:?\S+ (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE|SKIPPED)$": "task without work",
            r"Download(?:ing)? https?://|> Configure project|> Transform ": "line of preparation",
            r"(?:Starting a Gradle Daemon|Daemon will be stopped|To honour the JVM settings|Welcome to Gradle|"
            r"Here are the highlights|For more details see)": "line of banner",
            r"> (?:Run with|Get more help|Get full insights)|\* Try:$|\* Get more help": "line of advice",
            r"\S+(?: > .+)? PASSED$": "passing test",
            r"(?:Deprecated Gradle features were used|"
            r"You can use '--warning-mode all'|For more on this, please refer)": "line of advice",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(located(capture.lines), self.quiet)
