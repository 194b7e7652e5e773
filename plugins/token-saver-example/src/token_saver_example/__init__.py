"""A processor for the output of ``acme-lint``: findings stay, files that were checked without a finding are counted."""

from __future__ import annotations

from collections.abc import Iterable

from token_saver.hookspecs import hookimpl
from token_saver.processor import Capture, Family, Processor
from token_saver.text import Fold, Recast, Rules, sieve


class AcmeLintProcessor(Family):
    """Every finding and the tool's own totals stay; files without a finding are counted."""

    name = "acme_lint"
    priority = 40
    commands = ("acme-lint",)

    quiet = Rules({r"checking \S+ \.\.\. ok$": "file without a finding", r"\[debug\] ": "line of debugging"})

    def read(self, capture: Capture) -> Iterable[str | Fold | Recast]:
        return sieve(capture.lines, self.quiet)


@hookimpl
def token_saver_processors() -> list[Processor]:
    """Hand the processor to Token-Saver."""
    return [AcmeLintProcessor()]
