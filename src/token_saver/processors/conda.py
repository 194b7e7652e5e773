"""conda, mamba and micromamba."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, named
from token_saver.text import Recast, Rules, rx
from token_saver.text.columns import squeeze
from token_saver.text.listings import Entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_STEP, _FETCH, _HINT = "step", "line of download progress", "line of a hint"
_LISTED = rx(r"([A-Za-z0-9_][\w.-]*) +(\d\S*) +(\S+)(?: +(\S+))?\s*$")


class CondaProcessor(PackageManager):
    """The plan, what was installed with versions, conflicts whole; solving, downloads and activation hints are counted."""

    name = "conda"
    commands = ("conda", "mamba", "micromamba")
    noise = Rules(
        {
            r"(?:Collecting package metadata|Retrieving notices|Solving environment)[^:]*: (?:\.{3}working\.{3} )?done$": _STEP,
            r"(?:Collecting package metadata|Solving environment)[^:]*: [-\\|/ ]*$": _STEP,
            r"(?:Fetching package metadata|Solving package specifications): \.+$": _STEP,
            r"(?:Preparing|Verifying) transaction: (?:\.\.\.working\.\.\. )?done$": _STEP,
            r"Downloading and Extracting Packages|Using Anaconda (?:Cloud )?api site ": _STEP,
            r" +-{10,}(?:\|-+)?$": "rule",
            r"\S+ +\| +[\d.]+ [KMG]?B +\| ": _FETCH,
            r"(?:\[\+\] |\S+/(?:noarch|linux-\w+|osx-\w+|win-\w+) +.*(?:Using cache|No change|\d+%|MB/s|✔))": _FETCH,
            r"#(?:\s*$| To (?:de)?activate (?:this|an active) environment| {5}\$ conda deactivate$)": _HINT,
            r"==> WARNING: A newer version of conda exists\. <==|  (?:current|latest) version: \S+$": _HINT,
            r"Please update conda by running$| {4}\$ conda update -n base ": _HINT,
        }
    )
    readers = {"list": "listed", "info": "about"}

    def listed(self, capture: Capture) -> Iterable[Piece]:
        """``conda list``: every name and version, build and channel as long as there is room."""
        rows = [(line, _LISTED.match(line)) for line in capture.lines]
        entries = [Entry([line], squeeze(line), row[1], row[2]) if row else None for line, row in rows]
        return named(capture.lines, entries, self.sifted)

    def about(self, capture: Capture) -> Iterable[Piece]:
        """``conda info``: keys that are aligned at their colon, further values below them."""
        for line in capture.lines:
            text = line.strip(" ")
            told = text if " : " in line else f"  {text}"
            yield Recast(told, [line]) if text and len(told) < len(line) else line

    def shorten(self, line: str) -> str:
        return squeeze(line)
