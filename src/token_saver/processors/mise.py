"""mise and asdf."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager
from token_saver.text import Rules
from token_saver.text.columns import squeeze, tabular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_PROGRESS = "line of progress"


class MiseProcessor(PackageManager):
    """Installed tools with versions, errors whole, tables without padding; downloads and checksums are counted."""

    name = "mise"
    commands = ("mise", "asdf", "rtx")
    noise = Rules(
        {
            r"mise \S+@\S+ +(?:\[\d+/\d+\] )?(?:download|extract|checksum|curl|cp|mv|tar|unzip|generate|verify) ": _PROGRESS,
            r"mise \S+@\S+ +(?:\[\d+/\d+\] )?(?:downloading|extracting|cloning|installing)\b": _PROGRESS,
            r" *% Total +% Received|\s*\d+ +[\d.]+[kMG]? +\d+ +[\d.]+[kMG]? |\s+Dload +Upload": _PROGRESS,
            r"\s*[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]": _PROGRESS,
        }
    )
    readers = dict.fromkeys(("ls", "list", "outdated", "plugins", "current", "registry", "tasks"), "listed")

    def listed(self, capture: Capture) -> Iterable[Piece]:
        """Tables of tools and versions."""
        return tabular(capture.lines)

    def shorten(self, line: str) -> str:
        return squeeze(line)
