"""composer."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, gathered, named
from token_saver.text import Fold, Rules, rx
from token_saver.text.columns import squeeze
from token_saver.text.listings import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_OPERATION = rx(r"  - (Downloading|Locking|Installing|Upgrading|Downgrading|Removing) (\S+) \(([^()]*)\)")
_SHOWN = rx(r"([\w.-]+/[\w.-]+) +(\S+)(?: +(.*))?$")
_ADVICE, _FUNDING = "line of general advice", "line of funding"


class ComposerProcessor(PackageManager):
    """Operations with versions, problems whole; loading, downloads, locking of what is installed and advice are counted."""

    name = "composer"
    commands = ("composer",)
    noise = Rules(
        {
            r"Loading composer repositories with package information|Updating dependencies$": "step",
            r"Composer is operating (?:significantly )?slower than normal": "hint",
            r"\d+ packages? you are using (?:is|are) looking for funding\.|Use the `composer fund` command": _FUNDING,
            r"Potential causes:$| - A typo in the package name$": _ADVICE,
            r" - The package is not available in a stable-enough version|   see <https://getcomposer\.org/doc/04-schema": _ADVICE,
            r" - It's a private package and you forgot|Read <https://getcomposer\.org/doc/articles/troubleshooting": _ADVICE,
            r" *\d+(?:/\d+)? \[[=>-]+\]": "line of progress",
            r"[a-z-]+ \[--[a-z-]+[ |\]]": "line of usage",
        }
    )
    readers = dict.fromkeys(("show", "outdated", "info", "search"), "shown")

    def report(self, capture: Capture) -> Iterable[Piece]:
        done = {(found[2], found[3]) for found in map(_OPERATION.match, capture.lines) if found and found[1] not in _BEFORE}
        return gathered([_told_below(piece, done) for piece in self.sifted(capture.lines)])

    def shown(self, capture: Capture) -> Iterable[Piece]:
        """``composer show``: every name and version, descriptions as long as there is room."""
        rows = [(line, _SHOWN.match(line)) for line in capture.lines]
        entries = [Entry([line], squeeze(line), row[1], row[2]) if row else None for line, row in rows]
        return named(capture.lines, entries, self.sifted)

    def shorten(self, line: str) -> str:
        return squeeze(line)


_BEFORE = ("Downloading", "Locking")


def _told_below(piece: Piece, done: set[tuple[str, str]]) -> Piece:
    found = _OPERATION.match(piece) if isinstance(piece, str) else None
    if found and isinstance(piece, str) and found[1] in _BEFORE and (found[2], found[3]) in done:
        return Fold([piece], "package to download or lock", known=True, told=True)
    return piece
