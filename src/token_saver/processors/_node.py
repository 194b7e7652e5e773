"""What npm, pnpm, yarn and bun share: trees of packages, the banner of a script, boxed tables."""

from __future__ import annotations

from token_saver.processor import Inner
from token_saver.processors._packages import PackageManager, gathered
from token_saver.processors.generic import reduce
from token_saver.text import Fold, Recast, rx
from token_saver.text.branches import branches
from token_saver.text.columns import tabular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_AGAIN = (" deduped", " [deduped]", " (*)", "(deduped)")
_PROBLEM = rx(r"UNMET|(?m:^)(?:invalid|missing)|(?: |: )(?:invalid|extraneous|missing)\b")
_EMPTY = rx(r"npm (?:error|ERR!|warn|WARN)(?: (?:[45]\d\d|enoent|notarget|network))? *$|[⠙⠹⠸⠼⠴⠦⠧⠇⠏⠋]\s*$")
_RUNS = rx(r"[>$] (?!\S+@\S+ [\w:.-]+(?: /\S+)?$)(?P<command>\S.*)$")
_USUAL_SCRIPTS = frozenset(("build", "test", "start", "dev", "lint", "format", "check", "watch", "serve", "task", "just"))
_SCRIPTS = frozenset(
    ("run", "run-script", "test", "t", "tst", "start", "stop", "restart", "exec", "x", "dlx", "create", "init", "c")
)


class NodeManager(PackageManager):
    """A package manager for JavaScript: *banner* are the lines before a script's own output, *closing* those after it."""

    banner = rx(r"(?!)")
    closing = rx(r"(?!)")
    trees = frozenset(("ls", "list", "la", "ll", "why", "explain"))
    tables = frozenset(("outdated", "audit", "search", "licenses"))

    def verb(self, capture: Capture) -> str:
        """Return the subcommand that decides what the output looks like."""
        return capture.command.subcommand

    def is_script(self, verb: str) -> bool:
        """Tell whether *verb* runs a program whose output is not the manager's own."""
        return verb in _SCRIPTS

    def report(self, capture: Capture) -> Iterable[Piece]:
        verb = self.verb(capture)
        if self.is_script(verb):
            return self.script(capture)
        known, lines = self.split(capture.lines)
        if verb in self.trees:
            return [*known, *self.tree(lines)]
        if verb in self.tables:
            return [*known, *self.table(lines)]
        return self.sifted(capture.lines)

    def sifted(self, lines: Sequence[str]) -> list[Piece]:
        return gathered(without_blanks(super().sifted(lines)))

    def split(self, lines: Sequence[str]) -> tuple[list[Piece], list[str]]:
        """Part noise, as folds, from the lines of a list."""
        known: list[Piece] = []
        rest: list[str] = []
        for line in lines:
            noun = None if line[:1] in "├│└" else self.noise.noun(line)
            if noun is None:
                rest.append(line)
            else:
                known.append(Fold([line], noun, known=True))
        return gathered(known), rest

    def tree(self, lines: Sequence[str]) -> list[Piece]:
        """Tell a tree of packages."""
        return branches(lines, "package", again=_AGAIN, keep=_PROBLEM)

    def table(self, lines: Sequence[str]) -> list[Piece]:
        """Tell a table of packages."""
        return tabular(lines)

    def script(self, capture: Capture) -> list[Piece]:
        """Tell the manager's own lines around a script's output in fewer words; of the output itself nothing is known."""
        lines = capture.lines
        start, end = self.framed(lines)
        return [*self.sifted(lines[:start]), *reduce(lines[start:end]), *self.sifted(lines[end:])]

    def framed(self, lines: Sequence[str]) -> tuple[int, int]:
        """Return where a script's output starts and ends between the manager's own lines."""
        start, end = 0, len(lines)
        while start < end and (not lines[start].strip() or self.banner.match(lines[start])):
            start += 1
        while end > start and (not lines[end - 1].strip() or self.closing.match(lines[end - 1])):
            end -= 1
        return start, end

    def inner(self, capture: Capture) -> Sequence[Inner]:
        """Name the program of a script as the banner does; a program called by its own name needs none."""
        if not self.is_script(self.verb(capture)):
            return ()
        start, end = self.framed(capture.lines)
        named = [found.group("command") for found in map(_RUNS.match, capture.lines[:start]) if found is not None]
        words = [word for word in capture.command.operands if word not in _SCRIPTS]
        command = named[-1] if named else " ".join(words)
        if start == end or not command or (not named and words[0] in _USUAL_SCRIPTS):
            return ()
        return (Inner(command, start, end),)


def without_blanks(pieces: Sequence[Piece]) -> list[Piece]:
    """Lines in which a manager says nothing (its name, a spinner) go with the line behind them."""
    told: list[Piece] = []
    waiting: list[str] = []
    for piece in pieces:
        if isinstance(piece, str) and _EMPTY.match(piece):
            waiting.append(piece)
            continue
        told.append(_after(waiting, piece) if waiting else piece)
        waiting = []
    return [*told, *waiting]


def _after(blanks: list[str], piece: Piece) -> Piece:
    if isinstance(piece, str):
        return Recast(piece, [*blanks, piece])
    if isinstance(piece, Recast):
        return Recast(piece.text, [*blanks, *piece.lines])
    return Fold([*blanks, *piece.lines], piece.noun, known=piece.known, names=piece.names, told=piece.told)
