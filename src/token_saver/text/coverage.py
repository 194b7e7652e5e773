"""Coverage tables: rows of files, padded, under a header; what is fully covered is counted."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

MOST_ROWS = 40
FEW_ROWS = 12

# Istanbul's text reporter (jest, vitest, nyc, c8, bun): File | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s
RULE = rx(r"-{3,}[-|+\s]*$|-+\|-+")
_FULL = rx(r"(?:\s*100(?:\.0+)?\s*\|)*\s*100(?:\.0+)?\s*(?:\||$)\s*$")
_PADDED = rx(r" {2,}")


def is_table(lines: Sequence[str], index: int) -> bool:
    """Tell whether a table starts at *index*: a rule, a header with ``%`` and ``|``, a rule."""
    if index + 2 >= len(lines) or not RULE.match(lines[index]):
        return False
    return "%" in lines[index + 1] and "|" in lines[index + 1] and RULE.match(lines[index + 2]) is not None


def table_end(lines: Sequence[str], index: int) -> int:
    """Return where the table that starts at *index* ends."""
    index += 3
    while index < len(lines) and ("|" in lines[index] or RULE.match(lines[index])):
        index += 1
    return index


def coverage(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield the rows without padding; rules, fully covered files and what is beyond *MOST_ROWS* rows are counted."""
    shown = 0
    few = len(lines) <= FEW_ROWS
    for line in lines:
        name, bar, cells = line.partition("|")
        if not bar or RULE.match(line):
            yield Fold([line], "rule", known=True, told=True)
        elif not few and _FULL.match(cells) and not name.strip().startswith("All"):
            yield Fold([line], "fully covered file", known=True)
        elif shown > MOST_ROWS:
            yield Fold([line], "row of coverage", known=True, names=name.strip())
        else:
            shown += 1
            yield Recast(_PADDED.sub(" ", line.strip()), [line])
