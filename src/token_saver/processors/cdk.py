"""The AWS CDK: differences and deployments of stacks."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text.findings import report
from token_saver.text.folders import Rules
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_NOTICES = rx(r"NOTICES\s")
_HASH = rx(r"[ │├└─]+\[[-+]\] (?:asset\.)?[0-9a-f]{64}(?:\.\w+)?$")


class CdkProcessor(Family):
    """Every stack and every changed resource, warnings and results; bundling, hashes of assets, notices are counted."""

    name = "cdk"
    priority = 28
    commands = ("cdk", "cdktf", "sst", "amplify", "ampx")
    quiet = Rules(
        {
            r"Bundling asset |\$ \S*esbuild(?:\.cmd)? --bundle |--outfile=|  (?:\.\.\.|cdk\.out/)\S* +[\d.]+\w?b(?:\s+⚠️)?$|"
            r"⚡ Done in ": "line of bundling",
            r" *\d+/\d+ \| [\d:]+ (?:[AP]M )?\| \w+_IN_PROGRESS +\|": "event in progress",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(list(_without_notices(capture.lines)), self.quiet, share=130)


def _without_notices(lines: Sequence[str]) -> Iterator[str | Fold]:
    """Notices concern the tool: their titles stay."""
    inside = False
    for line in lines:
        inside = inside or _NOTICES.match(line) is not None
        if inside and line[:1] == "\t":
            yield Fold([line], "line of a notice", known=True)
        elif _HASH.match(line):
            yield Fold([line], "hash of an asset", known=True)
        else:
            yield line
