"""``cargo fmt --check``: what rustfmt would change, file by file."""

from __future__ import annotations

from token_saver.text import allowance, rx, select
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.text.pieces import Piece

_HEAD = rx(r"Diff in |(?:error|warning)\b|rustfmt ")


def differences(lines: Sequence[str]) -> Iterable[Piece]:
    """Keep every place that would change, and of the changes the first of each kind while there is room."""
    budget = allowance(sum(map(len, lines)) + len(lines))
    seen: dict[str, int] = {}
    values = []
    for line, key in zip(lines, templates([line[1:] for line in lines]), strict=True):
        nth = seen[key] = seen.get(key, 0) + 1
        values.append(9 if _HEAD.match(line) else max(0, (6 if line[:1] in "+-" else 3) - 2 * nth))
    return select(lines, budget, "line of difference", value=values)
