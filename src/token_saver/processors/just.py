"""just and task: runners that print a recipe's commands before their output."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._runner import spans
from token_saver.processors.generic import reduce
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture, Inner
    from token_saver.text.pieces import Piece

# just prints the command alone, go-task "task: [name] command".
_NAMED = rx(r"task: \[[^\]\n]+\] (?P<command>.+)$")
_BARE = rx(r"(?P<command>(?:[\w./-]+/)?[a-z][\w.-]* (?:-{1,2}\w|\S+ -{1,2}\w|run |test |check |build |-m |\S*[./]\S*$|\S+$).*)$")
_END = rx(r"error: |task: ")
_LISTED = ("--list", "-l", "--summary", "--list-all", "-a")
RECIPES = 60


class JustProcessor(Family):
    """A recipe's output as its tools' families read it, errors whole; of long lists of recipes the rest is counted by name."""

    name = "just"
    priority = 22
    commands = ("just", "task", "go-task")

    def read(self, capture: Capture) -> Iterable[Piece]:
        if capture.command.has(*_LISTED):
            return _listed(capture.lines)
        return reduce(capture.lines)

    def inner(self, capture: Capture) -> Sequence[Inner]:
        if capture.command.has(*_LISTED, "--dump", "--evaluate", "-n", "--dry-run", "--show"):
            return ()
        named = any(map(_NAMED.match, capture.lines))
        return spans(capture.lines, _NAMED if named else _BARE, _END)


def _listed(lines: Sequence[str]) -> Iterable[Piece]:
    """Keep recipes with what they do; after the first the names of the others."""
    yield from lines[:RECIPES]
    for line in lines[RECIPES:]:
        yield Fold([line], "recipe", known=True, names=line.split("#", 1)[0].strip())
