"""poetry, pdm and hatch: the managers of Python projects."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, named
from token_saver.processors.pip import BUILD_NOISE, PROGRESS
from token_saver.text import Fold, Rules, rx
from token_saver.text.branches import branches
from token_saver.text.columns import tabular
from token_saver.text.listings import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_SHOWN = rx(r"([A-Za-z0-9][\w.-]*) +(?:\(!\) +)?(\d\S*)(?: +(.*))?$")
_STATE = rx(r"  [-•] (?:Installing|Updating|Removing|Downgrading) (\S+ \([^()]*\))(?:: .*)?$")


class PoetryProcessor(PackageManager):
    """Installed, updated and removed packages with versions, conflicts whole; resolving, downloads and hashes are counted."""

    name = "poetry"
    commands = ("poetry", "pdm", "hatch")
    noise = Rules(
        {
            r"(?:Updating|Inspecting|Checking|Syncing) dependencies$|Resolving dependencies\.\.\.(?: ?\(.*\))?$": "step",
            r"Installing project in development mode$|Updating the lock file\.\.\.$|Preparing the build environment$": "step",
            r"\s*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] |Fetching hashes for resolved packages|Downloading https?://": PROGRESS,
            r"\[notice\] |(?:PDM|A new version of Poetry) .*is available|Please run `pdm self update`": "notice of a new version",
            **BUILD_NOISE,
        }
    )
    readers = dict.fromkeys(("show", "list", "search", "self", "env", "dep", "outdated"), "shown")

    def sifted(self, lines: Sequence[str]) -> list[Piece]:
        """Count noise, and all but the last state of a package: pending, downloading, installing."""
        named = [found and found[1] for found in (_STATE.match(line) if line[:2] == "  " else None for line in lines)]
        last = {name: index for index, name in enumerate(named) if name}
        old = [line for index, line in enumerate(lines) if named[index] and last[named[index]] != index]
        rest = [line for index, line in enumerate(lines) if not named[index] or last[named[index]] == index]
        return [*super().sifted(rest), *([Fold(old, "earlier state of a package", known=True)] if old else [])]

    def shown(self, capture: Capture) -> Iterable[Piece]:
        """``poetry show`` and the like: names and versions, descriptions as long as there is room; trees and tables."""
        lines = capture.lines
        if capture.command.has("--tree", "--graph", "-t"):
            return branches(lines, "package")
        rows = [(line, _SHOWN.match(line)) for line in lines]
        entries = [
            Entry([line], f"{row[1]} {row[2]} {row[3] or ''}".rstrip(), row[1], row[2]) if row else None for line, row in rows
        ]
        if sum(entry is not None for entry in entries) <= len(lines) // 2:
            return tabular(lines)
        return named(lines, entries, self.sifted)
