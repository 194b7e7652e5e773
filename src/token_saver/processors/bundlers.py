"""Bundlers and monorepo runners of the JavaScript world."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._linter import asks_for_data
from token_saver.text.documents import document
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece


class BundlerProcessor(Family):
    """Errors and warnings with their place, every named output with its size, totals; progress and modules are counted."""

    name = "bundler"
    priority = 25
    commands = (
        "webpack",
        "vite",
        "esbuild",
        "rollup",
        "next",
        "nuxt",
        "parcel",
        "turbo",
        "nx",
        "lerna",
        "tsup",
        "rspack",
        "rolldown",
    )

    quiet = Rules(
        {
            r"transforming|rendering chunks|computing gzip size": "line of progress",
            r" {2,}(?:modules by path|runtime modules|cacheable modules|\./\S+ [\d.]+ \w?i?[bB]ytes?|\| )": "line of modules",
            r" *(?:▲ Next\.js|Attention: Next\.js now collects|This information is used|You can learn more, including|"
            r"https://nextjs\.org/telemetry)": "line of banner",
            r"\S+:\S+: cache (?:hit|miss), (?:replaying|executing)": "line of cache",
            r" *(?:Linting and checking|Collecting page data|Generating static pages|Finalizing page|Collecting build traces|"
            r"Creating an optimized)": "line of progress",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        if asks_for_data(capture.lines):
            return document(capture.lines) or capture.lines
        return report(located(capture.lines), self.quiet, whole=3)
