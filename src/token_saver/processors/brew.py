"""brew."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager
from token_saver.text import Fold, Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_FETCH, _HINT = "line of fetching", "line of a hint"
_NEW = rx(r"==> (?:New|Renamed|Deleted) (?:Formulae|Casks)$")


class BrewProcessor(PackageManager):
    """What was installed where, caveats and errors whole, lists by name; downloads, new formulae and hints are counted."""

    name = "brew"
    commands = ("brew",)
    noise = Rules(
        {
            r"==> (?:Downloading|Fetching downloads for|Pouring|Auto-updat|Running `brew cleanup|`brew cleanup`) ?": _FETCH,
            r"(?:#+ *[\d.]* ?%?|[#=O -]+)$|Already downloaded: |(?:✔|✔︎|⬇) |Removing: /": _FETCH,
            r"(?:Disable this behaviour by setting|Hide these hints with) `?HOMEBREW_|Adjust how often this is run": _HINT,
        }
    )

    def report(self, capture: Capture) -> Iterable[Piece]:
        return self.sifted_news(capture.lines)

    def sifted_news(self, lines: Sequence[str]) -> list[Piece]:
        """Count the names below "New Formulae", which nobody asked for."""
        news: list[Piece] = []
        rest: list[str] = []
        inside = False
        for line in lines:
            inside = _NEW.match(line) is not None or (inside and not line.startswith("==> ") and bool(line.strip()))
            if inside:
                news.append(Fold([line], "line of new formulae", known=True))
            else:
                rest.append(line)
        return [*news, *self.sifted(rest)]
