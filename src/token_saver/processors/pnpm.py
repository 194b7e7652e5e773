"""pnpm."""

from __future__ import annotations

from token_saver.processors._node import NodeManager
from token_saver.processors._packages import gathered
from token_saver.text import Fold, Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

_STATE = rx(r"(?:\S+ +\| )?Progress: resolved \d+, reused \d+, downloaded \d+, added \d+(?:, done)?$")
_PROGRESS, _STORE, _UPDATE = "line of progress", "line of the store", "line of an update notice"


class PnpmProcessor(NodeManager):
    """What was added and removed, warnings, errors, the last state of progress; earlier states and store notes are counted."""

    name = "pnpm"
    commands = ("pnpm", "pnpx")
    banner = rx(r"> |\$ ")
    closing = rx(r"\s?\[?ELIFECYCLE|\s?ERR_PNPM|\s?WARN\b")
    noise = Rules(
        {
            r"Packages are (?:hard linked|cloned|copied) from the content-addressable store": _STORE,
            r"  (?:Content-addressable store|Virtual store) is at: ": _STORE,
            r"(?:\S+ +\| )?(?:Downloading \S+: |[+-]{3,}$)": _PROGRESS,
            r"Legend: ": "legend",
            r"\s+╭─+╮\s*$|\s+╰─+╯\s*$|\s+│\s+│\s*$": _UPDATE,
            r"\s+│ +(?:Update available!|Changelog: |Run \"?(?:pnpm|corepack|npm) )": _UPDATE,
        }
    )

    def sifted(self, lines: Sequence[str]) -> list[Piece]:
        left = sum(_STATE.match(line) is not None for line in lines) - 1
        old: list[Piece] = []
        rest: list[str] = []
        for line in lines:
            if left > 0 and _STATE.match(line):
                old.append(Fold([line], _PROGRESS, known=True))
                left -= 1
            else:
                rest.append(line)
        return gathered([*old, *super().sifted(rest)])
