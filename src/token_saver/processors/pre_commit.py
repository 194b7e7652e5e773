"""pre-commit, prek and lefthook: hooks, and what a failing hook printed."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Recast, Rules, rx
from token_saver.text.located import framed, located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item

_DOTS = rx(r"\.{5,}")


class PreCommitProcessor(Linter):
    """Each failing hook with its id and the first findings of each rule; hooks that passed or had no files are counted."""

    name = "pre-commit"
    priority = 21
    commands = ("pre-commit", "prek", "lefthook", "husky")
    quiet = Rules(
        {
            r".*\.\.\.(?:\([^)]*\))?Passed$": "passing hook",
            r".*\.\.\.(?:\([^)]*\))?Skipped$": "skipped hook",
            r"- duration: ": "line of timing",
            r"\[INFO\] (?:Initializing environment|Installing environment|Once installed|This may take)": "line of set-up",
        }
    )

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        run: list[str] = []
        for item in framed(lines):
            if isinstance(item, str):
                run.append(item)
                continue
            items.extend(located(run))
            run = []
            items.append(item)
        return [_narrow(item) for item in [*items, *located(run)]]


def _narrow(item: Item) -> Item:
    if isinstance(item, str) and item.endswith(".Failed"):
        return Recast(_DOTS.sub("...", item), [item])
    return item
