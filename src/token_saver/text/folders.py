"""Folders turn lines into pieces: kept lines, and folds that stand for lines."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import Rx, rx
from token_saver.text.templates import templates
from token_saver.text.worth import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from token_saver.text.pieces import Piece


class Rules:
    """Known lines: ``Rules({r"\\S+ PASSED$": "passing test"})``, a pattern matched at the start of the line → a noun.

    Patterns are tried in order as one expression, so a rule costs nothing where an earlier one matches. They may hold
    groups, but no back-references. The group that names a rule stands empty behind it: so the rule's own first letters
    decide early whether it can match.
    """

    __slots__ = ("nouns", "pattern")

    def __init__(self, rules: Mapping[str, str]) -> None:
        self.nouns = {f"r{i}": noun for i, noun in enumerate(rules.values())}
        self.pattern = rx("|".join(f"(?:{rule})(?P<r{i}>)" for i, rule in enumerate(rules)), depth=2)

    def noun(self, line: str) -> str | None:
        """Return the noun for *line*, or None when no rule knows it."""
        found = self.pattern.match(line)
        return None if found is None else self.nouns[found.lastgroup or ""]


def fold(lines: Sequence[str], noun: str, *, known: bool = True, names: str = "") -> Iterator[Piece]:
    """Stand for all of *lines* by their number."""
    if lines:
        yield Fold(lines, noun, known=known, names=names)


def sieve(lines: Iterable[str], rules: Rules) -> Iterator[Piece]:
    """Known noise becomes counts where it stood; a line that no rule knows stays."""
    waiting: list[str] = []
    noun = ""
    for line in lines:
        found = rules.noun(line) if line.strip() else (noun if waiting else None)
        if waiting and found != noun:
            yield Fold(waiting, noun, known=True)
            waiting = []
        if found is None:
            yield line
        else:
            noun = found
            waiting.append(line)
    if waiting:
        yield Fold(waiting, noun, known=True)


def cap(lines: Sequence[str], keep: int, noun: str, *, known: bool = False) -> Iterator[Piece]:
    """Keep the first few lines and say how many more there were."""
    yield from lines[:keep]
    if len(lines) > keep:
        yield Fold(lines[keep:], noun, known=known)


def ends(
    lines: Sequence[str], head: int, tail: int, noun: str, *, keep: Rx | None = None, known: bool = False
) -> Iterator[Piece]:
    """Keep both ends, and between them every line in which *keep* is found."""
    last = max(head, len(lines) - tail)
    yield from lines[:head]
    waiting: list[str] = []
    for line in lines[head:last]:
        if keep is not None and keep.search(line):
            if waiting:
                yield Fold(waiting, noun, known=known)
                waiting = []
            yield line
        else:
            waiting.append(line)
    if waiting:
        yield Fold(waiting, noun, known=known)
    yield from lines[last:]


def runs(
    lines: Sequence[str], noun: str = "similar line", *, key: Callable[[str], Hashable] | None = None, least: int = 3
) -> Iterator[Piece]:
    """Of *least* or more neighbours that are alike keep the first and count the others; alike means equal but for digits."""
    keys: Sequence[Hashable] = templates(lines) if key is None else [key(line) for line in lines]
    start = 0
    for at in range(1, len(lines) + 1):
        if at < len(lines) and keys[at] == keys[start]:
            continue
        if at - start >= least and str(lines[start]).strip():
            yield lines[start]
            yield Fold(lines[start + 1 : at], noun, known=True)
        else:
            yield from lines[start:at]
        start = at


def repeats(lines: Sequence[str], noun: str = "similar line", *, keep: int = 2) -> Iterator[Piece]:
    """Keep the first *keep* lines of each template wherever they stand, and count the others in place."""
    seen: dict[str, int] = {}
    waiting: list[str] = []
    for line, key in zip(lines, templates(lines), strict=True):
        count = seen.get(key, 0) + 1 if line.strip() else 0
        seen[key] = count
        if count > keep:
            waiting.append(line)
            continue
        if waiting and count:
            yield Fold(waiting, noun, known=True)
            waiting = []
        if count or not waiting:
            yield line
        else:
            waiting.append(line)
    if waiting:
        yield Fold(waiting, noun, known=True)


def allowance(chars: int) -> int:
    """Return how many characters of a capture of *chars* may stay when position, not meaning, has to decide.

    A power law, so that twice the output never means twice the reading: 2,000 characters stay whole, 40,000 become
    about 9,000 and 400,000 about 26,000.
    """
    return max(2000, int(60 * chars**0.47))


def select(lines: Sequence[str], budget: int, noun: str, *, value: Sequence[int] | None = None) -> Iterator[Piece]:
    """Keep the most valuable lines that fit in *budget* characters, in their order; the gaps become folds.

    *value* gives each line a rank, higher first; without it ``worth.ranks`` does. Of equal ranks the nearer to an end wins.
    """
    if sum(map(len, lines)) + len(lines) <= budget:
        yield from lines
        return
    worth = value if value is not None else ranks(lines, budget)
    chosen = _choose(lines, budget, worth)
    waiting: list[str] = []
    for index, line in enumerate(lines):
        if index in chosen:
            if waiting:
                yield Fold(waiting, noun)
                waiting = []
            yield line
        else:
            waiting.append(line)
    if waiting:
        yield Fold(waiting, noun)


def narrowed(pieces: Sequence[Piece], budget: int, noun: str, worth: Callable[[str], int]) -> list[Piece]:
    """Fold the least valuable kept lines of *pieces*, so that about *budget* characters of them stay."""
    lines = [piece for piece in pieces if isinstance(piece, str)]
    if sum(map(len, lines)) + len(lines) <= budget:
        return list(pieces)
    kept = _choose(lines, budget, [worth(line) for line in lines])
    made: list[Piece] = []
    at = 0
    for piece in pieces:
        if isinstance(piece, str):
            made.append(piece if at in kept else Fold([piece], noun))
            at += 1
        else:
            made.append(piece)
    return made


def _choose(lines: Sequence[str], budget: int, worth: Sequence[int]) -> set[int]:
    total = len(lines)
    order = sorted(range(total), key=lambda index: (-worth[index], min(index, total - index)))
    chosen: set[int] = set()
    for index in order:
        budget -= len(lines[index]) + 1
        if budget < 0 and chosen:
            break
        chosen.add(index)
    return chosen


def tree(paths: Sequence[str], *, sep: str = "/") -> Iterator[Piece]:
    """Write a folder shared by neighbouring paths once: ``src/a.py``, ``src/b.py`` → ``src/: a.py b.py``.

    For listings only: a path in a diagnostic must stay one that opens. Order is kept and no name is lost.
    """
    start = 0
    folders = [path.rpartition(sep)[0] for path in paths]
    for at in range(1, len(paths) + 1):
        if at < len(paths) and folders[at] == folders[start]:
            continue
        block = paths[start:at]
        if len(block) > 1 and folders[start] and not any(" " in path for path in block):
            names = " ".join(path[len(folders[start]) + len(sep) :] for path in block)
            yield Recast(f"{folders[start]}{sep}: {names}", block)
        else:
            yield from block
        start = at
