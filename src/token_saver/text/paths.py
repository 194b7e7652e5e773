"""Lists of names and paths: whole while they are short, then by folder, then counted by kind.

What a reader looks for in a list is a name, so names go last: first the folder is written once, then long folders keep
their first names and count the rest by extension, then only folders are named, then only the folders above them.
"""

from __future__ import annotations

from math import isqrt

from token_saver.text.folders import allowance
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text.pieces import Piece

WHOLE = 8000
_MARKER = 40
_KINDS = 4
_DEEPEST = 12


class Folder:
    """Names that stand together: *head* stands above them, *prefix* before the first; *title* names the folder itself.

    ``own`` are the lines that list the folder, which needs no line of its own once its names follow. *apart* keeps a line
    for each name.
    """

    __slots__ = ("apart", "head", "lines", "names", "own", "prefix", "title")

    def __init__(self, title: str = "", prefix: str = "", head: Sequence[Piece] = (), *, apart: bool = False) -> None:
        self.title = title
        self.prefix = prefix
        self.head = list(head)
        self.apart = apart
        self.own: list[str] = []
        self.names: list[str] = []
        self.lines: list[str] = []

    def add(self, name: str, line: str) -> None:
        """Add *name*, which stands for *line*."""
        self.names.append(name)
        self.lines.append(line)

    def separator(self) -> str:
        """Return what may stand between the names so that they can be told apart."""
        if self.apart:
            return "\n"
        joined = "\n".join(self.names)
        return " " if " " not in joined else "\n" if "," in joined else ", "

    def sizes(self) -> list[int]:
        """Return the characters taken with no name, one name, … all names; all where fewer would take more."""
        above = sum(
            len(piece if isinstance(piece, str) else piece.text) + 1 for piece in self.head if not isinstance(piece, Fold)
        )
        gap = len(self.separator())
        whole = min(
            len(self.prefix) + sum(map(len, self.names)) + gap * len(self.names),
            sum(map(len, self.own)) + sum(map(len, self.lines)) + len(self.own) + len(self.lines),
        )
        whole += above
        size = above + len(self.prefix) + _MARKER
        sizes = [min(whole, size - len(self.prefix) + (0 if self.head else len(self.title)))]
        for name in self.names:
            size += len(name) + gap
            sizes.append(size if size < whole else whole)
        return sizes

    def shown(self, share: int, sizes: Sequence[int]) -> int:
        """Return how many names stay at *share*: in proportion to the root of how many there are, so long folders tell more."""
        count = min(len(self.names), isqrt(len(self.names) * share * share) // 4)
        return len(self.names) if sizes[count] == sizes[-1] else count


def room(chars: int) -> int:
    """Return how many characters of a listing of *chars* may stay."""
    return max(WHOLE, allowance(chars))


def listing(paths: Sequence[str], noun: str = "file") -> Iterator[Piece]:
    """Shorten a list of paths, one a line: a folder that neighbours share is written once."""
    chars = sum(map(len, paths)) + len(paths)
    if chars <= WHOLE:
        yield from paths
        return
    folders = by_folder(paths)
    gathered: list[Piece] = []
    if sum(folder.sizes()[-1] for folder in folders) > room(chars) * 3 // 2:
        gathered = list(shorten(_gathered(folders), room(chars), noun))
    # Names of one folder may only change places where a marker says that names are missing.
    yield from gathered if any(isinstance(piece, Fold) for piece in gathered) else shorten(by_folder(paths), chars, noun)


def by_folder(paths: Iterable[str]) -> list[Folder]:
    """Gather neighbours that lie in the same folder; the folder itself goes with them when it stands just above."""
    folders: list[Folder] = []
    last = Folder("\n")
    for path in paths:
        end = path.rfind("/", 0, -1) + 1
        title = path[:end]
        if title != last.title:
            folder = Folder(title, f"{title} " if title else "")
            while last.lines and title and last.lines[-1].rstrip("/") == title[:-1]:
                folder.own.append(last.lines.pop())
                last.names.pop()
            if not last.lines:
                folder.own[:0] = last.own
            folders.append(last := folder)
        last.names.append(path[end:])
        last.lines.append(path)
    return [folder for folder in folders if folder.lines]


def _gathered(folders: Iterable[Folder]) -> list[Folder]:
    """Join folders of the same title, in order of first sight."""
    found: dict[str, Folder] = {}
    for folder in folders:
        first = found.setdefault(folder.title, folder)
        if first is not folder:
            first.own += folder.own
            first.names += folder.names
            first.lines += folder.lines
    return list(found.values())


def shorten(folders: Sequence[Folder], budget: int, noun: str) -> Iterator[Piece]:
    """Write *folders* with as many names each as fit in *budget*; dotfiles come first, the rest is counted by extension."""
    counts = _counts(folders, budget)
    if counts is None:
        yield from _outermost(folders, budget, noun)
        return
    for folder, count in zip(folders, counts, strict=True):
        yield from folder.head
        yield from _written(folder, count, noun)


def _counts(folders: Sequence[Folder], budget: int) -> list[int] | None:
    """Return how many names each folder shows; None when not even the folders fit."""
    sizes = [folder.sizes() for folder in folders]
    low, high = -1, 4 * isqrt(max((len(folder.names) for folder in folders), default=0)) + 8
    best: list[int] | None = None
    while low < high:
        share = (low + high + 1) // 2
        counts = [folder.shown(share, each) for folder, each in zip(folders, sizes, strict=True)]
        if sum(each[count] for each, count in zip(sizes, counts, strict=True)) <= budget:
            low, best = share, counts
        else:
            high = share - 1
    return best


def _written(folder: Folder, count: int, noun: str) -> Iterator[Piece]:
    names, lines = folder.names, folder.lines
    if count >= len(names):
        yield from _joined(folder, names, lines)
        return
    kept = sorted(_in_order_of_worth(names)[:count])
    yield from _joined(folder, [names[index] for index in kept], [lines[index] for index in kept])
    gone = set(range(len(names))).difference(kept)
    rest = sorted(gone)
    where = "" if kept or folder.head else f"{folder.title} "
    hidden = [lines[index] for index in rest]
    said = kinds(names[index] for index in rest)
    yield Fold(hidden if kept else [*folder.own, *hidden], noun, known=True, names=(where + said).strip())


def _in_order_of_worth(names: Sequence[str]) -> Sequence[int]:
    """Dotfiles first, because they are asked for when everything else is seen; a folder itself and its parent last."""
    dotted = [index for index, name in enumerate(names) if name[:1] == "."]
    if not dotted:
        return range(len(names))
    own = [index for index in dotted if names[index] in (".", "..")]
    first = [index for index in dotted if names[index] not in (".", "..")]
    return [*first, *(index for index, name in enumerate(names) if name[:1] != "."), *own]


def _joined(folder: Folder, names: Sequence[str], lines: Sequence[str]) -> Iterator[Piece]:
    """One line for all names; names that no separator can tell apart keep a line each."""
    if not names:
        return
    between = folder.separator()
    if between == "\n":
        yield from folder.own
        yield from (Recast(folder.prefix + name, [line]) for name, line in zip(names, lines, strict=True))
    else:
        yield Recast(folder.prefix + between.join(names), [*folder.own, *lines])


def kinds(names: Iterable[str]) -> str:
    """Return how many names there are of each extension: ``12 .py, 3 .md, 2 others``."""
    endings: dict[str, int] = {}
    for name in names:
        ending = name.rpartition(".")[2] if "." in name[1:] else ""
        endings[ending] = endings.get(ending, 0) + 1
    counts: dict[str, int] = {}
    for ending, count in endings.items():
        extension = ending.partition(" -> ")[0].rstrip("/*@")
        kind = f".{extension}" if len(extension) <= 10 and extension.isalnum() and not extension.isdigit() else ""
        counts[kind] = counts.get(kind, 0) + count
    plain = counts.pop("", 0)
    order = sorted(counts, key=lambda kind: -counts[kind])
    plain += sum(counts[kind] for kind in order[_KINDS:])
    said = [f"{counts[kind]} {kind}" for kind in order[:_KINDS]]
    return ", ".join([*said, f"{plain} others"] if said and plain else said)


def _outermost(folders: Sequence[Folder], budget: int, noun: str) -> Iterator[Piece]:
    """Too many folders to name each: show the outermost ones, and count the others by the folders above them."""
    room = budget * 3 // 4
    counts: dict[int, int] = {}
    for index in sorted(range(len(folders)), key=lambda index: (folders[index].title.count("/"), -len(folders[index].names))):
        sizes = folders[index].sizes()
        count = sum(size <= max(room // 2, budget // 20) for size in sizes) - 1
        if count >= min(1, len(sizes) - 1) and sizes[count] <= room:
            room -= sizes[count]
            counts[index] = count
        if room < _MARKER:
            break
    for index, count in sorted(counts.items()):
        yield from folders[index].head
        yield from _written(folders[index], count, noun)
    yield from _counted([folder for index, folder in enumerate(folders) if index not in counts], budget // 4, noun)


def _counted(folders: Sequence[Folder], budget: int, noun: str) -> Iterator[Piece]:
    """Count the lines of *folders* by the folders above them, as deep as *budget* allows."""
    depth = _depth(folders, budget)
    found: dict[str, list[str]] = {}
    for folder in folders:
        lines = found.setdefault(_top(folder.title, depth), [])
        lines.extend(folder.own)
        for piece in folder.head:
            lines.extend((piece,) if isinstance(piece, str) else piece.lines)
        lines.extend(folder.lines)
    for title, lines in found.items():
        yield Fold(lines, noun, known=True, names=f"{title} {len(lines)}".strip())


def _depth(folders: Sequence[Folder], budget: int) -> int:
    for depth in range(_DEEPEST, 0, -1):
        tops = {_top(folder.title, depth) for folder in folders}
        if sum(map(len, tops)) + 8 * len(tops) <= budget:
            return depth
    return 0


def _top(title: str, depth: int) -> str:
    parts = title.split("/", depth)
    return title if len(parts) <= depth else "/".join([*parts[:depth], ""])
