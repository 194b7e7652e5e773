"""Terraform and OpenTofu: plans, applies, state."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, Rules, allowance, narrowed, rx, sieve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

UNKNOWN, EMPTY = "unknown value", "empty value"

_HEADING = rx(r"  # \S+.* (?:will|must) be |  # \S+ (?:has changed|has moved|is tainted)")
_CHANGE = rx(r" *(?:~|-/\+|\+/-|<=) |.*(?:forces replacement|# \(\d+ unchanged)")
_PLAN = rx(r"Plan: |Apply complete|Destroy complete|No changes|Changes to Outputs|Error: |│ |╷|╵|Warning: ")
_PADDED = rx(r"( *(?:[-+~] )?[\w\".-]+) {2,}= ")
_TELLING = rx(
    r" *[-+~] (?:id|name|bucket|cidr_block|cidr_blocks|instance_type|ami|engine|image|region|from_port|to_port) +=|"
    r" *[-+~] \"[^\"]*\"(?: -> null)?,?$"
)
_VALUE = rx(r" *[-+] [\w\"]+ += ")


class TerraformProcessor(Family):
    """Every resource with its action, changed and known attributes, errors, totals and outputs; unknown values are counted."""

    name = "terraform"
    priority = 33
    commands = ("terraform", "tofu", "terragrunt", "tfsec")

    quiet = Rules(
        {
            r" {5,}[+~] [\w\".-]+ *(?:= )?\(known after apply\)(?: -> null)?$": UNKNOWN,
            r" *- [\w\".-]+ += (?:\[\]|\{\}|false|\"\"|0) -> null$": EMPTY,
            r"\S+: (?:Refreshing state\.\.\.|Reading\.\.\.|Read complete after)": "line of refreshing",
            r"\S+: Still (?:creating|destroying|modifying)\.\.\.": "line of waiting",
            r"(?:Terraform|OpenTofu) used the selected providers to generate|plan\. Resource actions are indicated|"
            r"execution plan\. Resource actions|─{20,}$|"
            r"Note: You didn't use the -out option|guarantee to take exactly these": "line of explanation",
        }
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        if not any(_HEADING.match(line) or _PLAN.match(line) for line in capture.lines):
            return capture.lines if len(capture.text) < 6000 else reduce(capture.lines)
        kept = narrowed(list(sieve(capture.lines, self.quiet)), allowance(len(capture.text)), "line of attributes", _worth)
        return [_squeezed(piece) for piece in _gathered(kept)]


def _gathered(pieces: Sequence[Piece]) -> Iterator[Piece]:
    """Move the values that are counted to the end of their block, where one marker tells of all."""
    waiting: dict[str, list[str]] = {}
    for piece in pieces:
        if isinstance(piece, Fold) and piece.noun in (UNKNOWN, EMPTY):
            waiting.setdefault(piece.noun, []).extend(piece.lines)
            continue
        if waiting and isinstance(piece, str) and (piece == "    }" or not piece.startswith("    ")):
            yield from _counted(waiting)
            waiting = {}
        yield piece
    yield from _counted(waiting)


def _counted(waiting: Mapping[str, Sequence[str]]) -> Iterator[Piece]:
    for noun, lines in waiting.items():
        yield Fold(lines, noun, known=True)


def _squeezed(piece: Piece) -> Piece:
    """Leave out the blanks that align the values of a block."""
    if isinstance(piece, str) and (found := _PADDED.match(piece)) is not None:
        return Recast(f"{found.group(1)} = {piece[found.end() :]}", [piece])
    return piece


def _worth(line: str) -> int:
    if _HEADING.match(line) or _PLAN.match(line) or not line.startswith(" "):
        return 4
    if _CHANGE.match(line) or _TELLING.match(line):
        return 3
    return 2 if _VALUE.match(line) or '"' in line else 1
