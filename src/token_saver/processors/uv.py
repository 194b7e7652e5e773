"""uv."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager
from token_saver.processors.pip import BUILD_NOISE, PROGRESS, shorter_versions, versions
from token_saver.text import Rules
from token_saver.text.branches import branches
from token_saver.text.columns import tabular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_LISTS = frozenset(("list", "freeze"))
_TABLES = frozenset(("python", "tool", "audit"))


class UvProcessor(PackageManager):
    """What was resolved, installed and removed, and why not; downloads, builds that went well and known hints are counted."""

    name = "uv"
    commands = ("uv", "uvx")
    noise = Rules(
        {
            r" *(?:Downloading|Downloaded) ": PROGRESS,
            r" *(?:Preparing packages|Resolving dependencies|Installing wheels)\.\.\.": PROGRESS,
            r"\s*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]|[█░]+ \[\d+/\d+\](?: [^ ]+)*\s*$|\S+ +-{8,}": PROGRESS,
            r" +Building \S+(?: @ |==)": "step of building",
            r"Building (?:source distribution|wheel from source distribution)(?: \(.*\))?\.\.\.$": "step of building",
            r" {9}If the cache and target directories are on different filesystems": "hint of link modes",
            r" {9}If this is intentional, set `export UV_LINK_MODE": "hint of link modes",
            r"(?:DEBUG|TRACE) ": "debug line",
            r" {4}--hash=\w+:[0-9a-f]+ *\\?$": "hash",
            **BUILD_NOISE,
        }
    )

    def report(self, capture: Capture) -> Iterable[Piece]:
        operands = capture.command.operands
        verb = next(iter(operands[1:] if operands[:1] == ("pip",) else operands), "")
        if verb in _LISTS:
            return versions(capture.lines)
        if verb == "tree":
            return branches(capture.lines, "package", again=("(*)",))
        if verb in _TABLES:
            return tabular(capture.lines)
        return self.sifted(capture.lines)

    def shorten(self, line: str) -> str:
        if line[:1] in ("█", "░"):
            line = line.rpartition("      ")[2]  # a message printed behind a progress bar
        return shorter_versions(line)
