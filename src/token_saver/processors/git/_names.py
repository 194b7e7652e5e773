"""Long lists of paths: names of one pattern are counted, long folders are written once."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

ALIKE = 12
SHOWN = 2
LONG_FOLDER = 12

_VARIES = rx(r"[0-9a-f]{6,}|\d+")


def told_names(lines: Sequence[str], budget: int, *, patterns: bool) -> Iterator[Piece]:
    """Yield a piece for each run of paths in one folder; *lines* may start with the same blanks or mark (``?? ``, a tab).

    Nothing changes while all lines fit in *budget*. Otherwise a folder's name is written once where it is long; and if
    *patterns*, then of a dozen names that differ only in digits and hexadecimal letters the first two stay.
    """
    if sum(map(len, lines)) + len(lines) <= budget:
        yield from lines
        return
    for run in _by_folder(lines):
        kept, alike = _patterns(run) if patterns else (run, [])
        yield from _shared(kept)
        if alike:
            yield Fold(alike, "file of the same pattern", known=True)


def _by_folder(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    start = 0
    folders = [line.rpartition("/")[0] for line in lines]
    for at in range(1, len(lines) + 1):
        if at == len(lines) or folders[at] != folders[start]:
            yield lines[start:at]
            start = at


def _patterns(run: Sequence[str]) -> tuple[Sequence[str], list[str]]:
    """Split *run* into the names to keep, and those that repeat the pattern of one that is kept."""
    kept = set(one_of_a_pattern(run)) if len(run) >= ALIKE else set(range(len(run)))
    return [line for at, line in enumerate(run) if at in kept], [line for at, line in enumerate(run) if at not in kept]


def one_of_a_pattern(names: Sequence[str]) -> list[int]:
    """Return the indexes of *names* without the third and later of a dozen that differ only in digits."""
    keys = [_VARIES.sub("0", name) for name in names]
    counts: dict[str, int] = {}
    for key in keys:
        counts[key] = counts.get(key, 0) + 1
    seen: dict[str, int] = {}
    kept: list[int] = []
    for at, key in enumerate(keys):
        seen[key] = seen.get(key, 0) + 1
        if counts[key] < ALIKE or seen[key] <= SHOWN:
            kept.append(at)
    return kept


def _shared(run: Sequence[str]) -> Iterator[Piece]:
    folder = run[0].rpartition("/")[0] if run else ""
    names = " ".join(line[len(folder) + 1 :] for line in run)
    if len(run) < 2 or len(folder.strip()) < LONG_FOLDER or names.count(" ") >= len(run) or '"' in names:
        yield from run
        return
    yield Recast(f"{folder}/: {names}", run)
