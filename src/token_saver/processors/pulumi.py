"""Pulumi and tools that deploy stacks as it does."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.text import Recast, Rules, allowance, narrowed, rx, sieve
from token_saver.text.columns import squeeze
from token_saver.text.critical import is_critical

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_STEP = rx(
    r"\s*(?:[-+~^=<>] ?|\+-|-\+|\+\+|--|<=|>-|\[[-+~]\]) *(?:├|└|│|[\w@/:.-]+(?: |:|$))|Stack |Resources$|Outputs|"
    r"\s*Type +Name|Resources:|Duration|    [-+~]\S* \d+|Diagnostics:|[✅❌✨]|There were|Number of stacks|Parameters$|"
    r"IAM Statement|Security Group|Conditions$|Mappings$|Arn|.* (?:created|updated|deleted|replaced|failed)\b"
)


class PulumiProcessor(Family):
    """Every resource with its action, diagnostics, outputs and totals; progress, identities and bundling are counted."""

    name = "pulumi"
    priority = 28
    commands = ("pulumi", "sam", "serverless")

    quiet = Rules(
        {
            r"@ (?:updating|previewing|destroying|refreshing|importing)": "line of progress",
            r"\s+\[(?:urn|provider)=": "line of identity",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        kept = narrowed(list(sieve(capture.lines, self.quiet)), allowance(len(capture.text)), "line of properties", _worth)
        return [_squeezed(piece) for piece in kept]


def _squeezed(piece: Piece) -> Piece:
    if not isinstance(piece, str):
        return piece
    text = squeeze(piece)
    return Recast(text, [piece]) if text != piece else piece


def _worth(line: str) -> int:
    if is_critical(line):
        return 4
    if _STEP.match(line):
        return 3
    return 2 if line[:1] not in (" ", "") else 1
