"""Bundlers and monorepo runners of the JavaScript world."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._linter import asks_for_data
from token_saver.text.documents import document
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

# turbo and nx put the package and its task before every line of it.
_TASK = rx(r"(?P<task>@?[\w./-]+:[\w:-]+): ?(?P<said>.*)$")
_BUILT = rx(r"\s*\S+\.(?:js|mjs|cjs|css|html|map|json|svg|png|wasm|woff2?|jpg|ico|txt)\s.*\d ?[kKM]?i?[bB]")
_FRAME = rx(r" +at .*(?:node_modules/|node:internal|\(node:)")
MANY = 25


class BundlerProcessor(Family):
    """Errors and warnings with their place, outputs with their sizes, totals; progress, modules and own frames are counted."""

    name = "bundler"
    priority = 25
    commands = (
        *("webpack", "vite", "esbuild", "rollup", "next", "nuxt", "nuxi", "parcel", "turbo", "nx", "lerna", "tsup", "tsdown"),
        *("rspack", "rsbuild", "rolldown", "ng", "vue-cli-service", "react-scripts", "astro", "remix", "svelte-kit", "gatsby"),
    )

    quiet = Rules(
        {
            r"transforming|rendering chunks|computing gzip size": "line of progress",
            r" {2,}(?:modules by path|runtime modules|cacheable modules|\./\S+ [\d.]+ \w?i?[bB]ytes?|\| )": "line of modules",
            r" *(?:▲ Next\.js|Attention: Next\.js now collects|This information is used|You can learn more, including|"
            r"https://nextjs\.org/telemetry)": "line of banner",
            r"@?[\w./-]+:[\w:-]+: cache (?:hit|miss), (?:replaying|executing|suppressing)": "line of cache",
            r" *(?:Linting and checking|Collecting page data|Generating static pages|Finalizing page|Collecting build traces|"
            r"Creating an optimized)": "line of progress",
            r"<t> |    \d+(?:\.\d+)?% |LOG from webpack|    \d+ modules hashed": "line of timing",
            r" +at .*(?:node_modules/|node:internal|\(node:)": "frame of a library",
            r"@?[\w./-]+:[\w:-]+: ?$": "line without a word",
            r"resolve '[^']*' in '| {2,}(?:using description file|Field '|aliased from|Failed to alias|Parsed request|"
            r"no extension$|\.\w+$|resolve as module$|looking for modules|single file module|existing directory|as directory|"
            r"using path|root path|use [\w.]+ from |\S.* (?:doesn't exist|is not a (?:file|directory)))|"
            r"\s*\S+ doesn't exist(?: or is not a directory)?$": ("line of resolution"),
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        if asks_for_data(capture.lines):
            return document(capture.lines) or capture.lines
        return report(list(_tasks(_outputs(located(capture.lines)))), self.quiet, whole=3)


def _outputs(items: Sequence[Item]) -> Iterator[Item]:
    """Of many outputs the first and the last few tell what was built; frames of libraries are no places to look at."""
    built = [at for at, item in enumerate(items) if isinstance(item, str) and _BUILT.match(item)]
    counted = set(built[MANY - 5 : -5]) if len(built) > MANY else set()
    for at, item in enumerate(items):
        if at in counted and isinstance(item, str):
            yield Fold([item], "output", known=True)
        elif isinstance(item, Finding) and len(item.lines) == 1 and _FRAME.match(item.lines[0]):
            yield Fold(item.lines, "frame of a library", known=True)
        else:
            yield item


def _tasks(items: Iterable[Item]) -> Iterator[Item]:
    """Name a task where another one spoke before."""
    before = ""
    for item in items:
        found = _TASK.match(item) if isinstance(item, str) else None
        if found is None or not isinstance(item, str):
            before = ""
            yield item
            continue
        task, said = found.group("task"), found.group("said")
        yield Recast(f"  {said}", [item]) if task == before and said[:1] != ">" else item
        before = task
