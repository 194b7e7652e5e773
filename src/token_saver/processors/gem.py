"""gem and bundle."""

from __future__ import annotations

from token_saver.processors._packages import SMALL, PackageManager, gathered
from token_saver.text import Fold, Rules, rx
from token_saver.text.columns import tabular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_USING = rx(r"Using (\S+) (\S+)")
_OPTIONS = "line of build options"
_ROOT = "warning of running as root"


class GemProcessor(PackageManager):
    """Installed gems with versions, native build errors and conflicts whole; fetching, documentation and checks are counted."""

    name = "gem"
    commands = ("gem", "bundle", "bundler")
    noise = Rules(
        {
            r"Fetching (?:gem metadata|source index|https?://|\S+ \d)|Resolving dependencies\.\.\.": "line of fetching",
            r"Fetching \S+\.gem$|Downloading \S+-\d": "line of fetching",
            r"(?:Parsing|Installing ri|Done installing) documentation for ": "line of documentation",
            r"Use `bundle (?:info|show) \[gemname\]` to see where": "hint",
            r" *checking (?:for|if|whether) .*\.\.\. (?:yes|\S*/\S+|-l\S+)$": "check that went well",
            r"Provided configuration options:$|\t--(?:with|without|enable|disable|srcdir|curdir|ruby)\S*$": _OPTIONS,
            r"\s*/\S*/(?:rubygems|bundler|ruby)/\S*\.rb:\d+:in ": "frame of the library",
            r"Building native extensions\. +This could take a while\.\.\.": "step of building",
            r"Don't run Bundler as root\.|installing your bundle as root will break|users on this machine\.$": _ROOT,
        }
    )

    def report(self, capture: Capture) -> Iterable[Piece]:
        if capture.command.subcommand == "outdated":
            return tabular(capture.lines)
        pieces = self.sifted(capture.lines)
        return gathered([_unchanged(piece) for piece in pieces]) if len(capture.text) > SMALL else pieces


def _unchanged(piece: Piece) -> Piece:
    found = _USING.match(piece) if isinstance(piece, str) else None
    if found is None or not isinstance(piece, str):
        return piece
    return Fold([piece], "gem in use already", known=True, names=f"{found[1]} {found[2]}")
