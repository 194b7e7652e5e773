"""Long lists of paths: long folders are written once, names of one pattern are counted, a flood is counted by folder."""

from __future__ import annotations

from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from token_saver.text.pieces import Piece

ALIKE = 12
SHOWN = 2
LONG_FOLDER = 12
MOST = 30_000
NAMED_FOLDERS = 20

_VARIES = rx(r"[0-9a-f]{6,}|\d+")


def told_names(lines: Sequence[str], budget: int, *, patterns: bool) -> Iterator[Piece]:
    """Yield a piece for each run of paths in one folder; *lines* may start with the same blanks or mark (``?? ``, a tab).

    Nothing changes while all lines fit in *budget*. Otherwise a folder's name is written once where it is long; and if
    *patterns*, then of a dozen names that differ only in digits and hexadecimal letters the first two stay. A flood is told
    as any listing is.
    """
    if sum(map(len, lines)) + len(lines) <= budget:
        yield from lines
        return
    pieces: list[Piece] = []
    left = MOST
    for run in _by_folder(lines):
        for piece in _told_run(run, patterns):
            left -= 0 if isinstance(piece, Fold) else len(piece if isinstance(piece, str) else piece.text) + 1
            pieces.append(piece)
        if left < 0:
            break
    if left < 0:
        from token_saver.text.paths import listing

        pieces = list(listing(lines))
    yield from pieces


def one_of_a_pattern(names: Sequence[str]) -> list[int]:
    """Return the indexes of *names* without the third and later of a dozen that differ only in digits."""
    keys = _VARIES.sub("0", "\n".join(names)).split("\n")
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


def folders(names: Iterable[str]) -> str:
    """Return the folders, at most two deep, of *names* with the number of files in each, the fullest first."""
    counts: dict[str, int] = {}
    for folder in [name.rpartition("/")[0].strip() for name in names]:
        counts[folder] = counts.get(folder, 0) + 1
    upper: dict[str, int] = {}
    for folder, count in counts.items():
        short = "/".join(folder.split("/")[:2]) or "."
        upper[short] = upper.get(short, 0) + count
    return most_frequent(upper, NAMED_FOLDERS, "folders")


def most_frequent(counts: Mapping[str, int], most: int, noun: str) -> str:
    """Return the *most* frequent names of *counts* with their numbers, and how many other *noun* there are."""
    order = sorted(counts, key=lambda name: -counts[name])
    more = [f"{len(order) - most} more {noun}"] if len(order) > most else []
    return ", ".join([f"{name} {counts[name]}" for name in order[:most]] + more)


def _by_folder(lines: Sequence[str]) -> Iterator[Sequence[str]]:
    start = 0
    before: str | None = None
    for at, line in enumerate(lines):
        folder = line.rpartition("/")[0]
        if folder != before and before is not None:
            yield lines[start:at]
            start = at
        before = folder
    yield lines[start:]


def _told_run(run: Sequence[str], patterns: bool) -> Iterator[Piece]:
    if not patterns or len(run) < ALIKE:
        yield from _shared(run)
        return
    kept = one_of_a_pattern(run)
    yield from _shared([run[at] for at in kept])
    alike = set(range(len(run))).difference(kept)
    yield Fold([run[at] for at in sorted(alike)], "file of the same pattern", known=True)


def _shared(run: Sequence[str]) -> Iterator[Piece]:
    """Yield the names of *run* behind their folder, or the paths where that would save nothing or mislead."""
    folder = run[0].rpartition("/")[0]
    names = " ".join(line[len(folder) + 1 :] for line in run)
    if len(run) < 2 or len(folder.strip()) < LONG_FOLDER or names.count(" ") >= len(run) or '"' in names:
        yield from run
    else:
        yield Recast(f"{folder}/: {names}", run)
