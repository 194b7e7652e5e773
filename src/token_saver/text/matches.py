"""Shortens matches of a search: whole while they are few, then some of each file, then files by name.

``read`` (``token_saver.text.match_rows``) gathers lines by file, ``shorten`` writes what it found.
"""

from __future__ import annotations

from math import isqrt

from token_saver.text.folders import allowance
from token_saver.text.markers import cut
from token_saver.text.match_rows import CONTEXT, MATCH, SEPARATOR, File, Row, read
from token_saver.text.paths import WHOLE
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

__all__ = ["CONTEXT", "MATCH", "SEPARATOR", "File", "Row", "read", "shorten"]

_LONG = 400
_ENDLESS = 2000
_SMALL_FILE = 4
_STEPS = 64
_BREADTH = 36_000
_FAR = 1 << 30
_MODIFIERS = (
    *("export", "default", "pub", "public", "private", "protected", "internal", "static", "async", "abstract", "final"),
    *("override", "unsafe", "inline", "virtual", "extern", "const", "sealed", "partial", "data", "open", "suspend"),
)
_KEYWORDS = (
    *("def", "class", "func", "fn", "function", "interface", "struct", "enum", "trait", "type", "impl", "module", "mod"),
    *("namespace", "record", "protocol", "object", "macro_rules!"),
)
_LEADS = frozenset((*_MODIFIERS, *_KEYWORDS, "pub(crate)", "pub(super)", "function*", "#define", "CREATE"))
_DEFINITION = rx(
    rf"\s*(?:(?:{'|'.join(_MODIFIERS)})(?:\([a-z]+\))?\s+){{0,5}}(?:{'|'.join(_KEYWORDS)})\*?\s+[\w$*(]|\s*#define\s+\w|"
    r"\s*CREATE\s+(?:TABLE|VIEW|FUNCTION|INDEX)\s"
)


def shorten(items: Sequence[File | str], pattern: str = "") -> Iterator[Piece]:
    """Write what ``read`` found: whole while it is short, then some matches of every file, then files by name."""
    chars = sum(_length(item) for item in items)
    if chars <= WHOLE * 3:
        regular = all(isinstance(item, File) or item in ("", SEPARATOR) for item in items)
        pieces = [piece for item in items for piece in _whole(item, pattern, regular)]
        if sum(len(piece if isinstance(piece, str) else piece.text) + 1 for piece in pieces) <= WHOLE:
            yield from pieces
            return
    budget = max(WHOLE, allowance(chars), min(chars * 27 // 200, _BREADTH))
    files = [_Ranked(item) for item in items if isinstance(item, File)]
    share = _share(files, budget)
    if not share:
        yield from _by_name(items, files, budget, pattern)
        return
    for file in files:
        file.choose(share)
    reach = _reach(files, budget - sum(file.size(share) for file in files))
    at = iter(files)
    for item in items:
        yield from next(at).written(reach, pattern) if isinstance(item, File) else (_apart(item),)


def _apart(line: str) -> Piece:
    """A line that is no row; a separator says nothing once the context that it parted is gone."""
    return Fold([line], CONTEXT, known=True) if line == SEPARATOR else _strange(line)


def _strange(line: str) -> str | Recast:
    return Recast(cut(line, _ENDLESS * 2 // 3, _ENDLESS // 3), [line]) if len(line) > _ENDLESS else line


def _length(item: File | str) -> int:
    return len(item) + 1 if isinstance(item, str) else len(item.head) + 1 + sum(len(row.line) + 1 for row in item.rows)


def _whole(item: File | str, pattern: str, regular: bool) -> Iterator[str | Recast]:
    """A file's rows; in a *regular* output context names its path only where a group begins."""
    if isinstance(item, str):
        yield _strange(item)
        return
    if item.head:
        yield item.head
    bare = regular and not item.head
    above = SEPARATOR
    for row in item.rows:
        yield _row(row, item.path if bare and row.kind == CONTEXT and above != SEPARATOR else "", pattern)
        above = row.kind


def _row(row: Row, path: str, pattern: str) -> str | Recast:
    """A row without its *path*, its middle cut out where no reader reads to its end."""
    text = row.line.removeprefix(path)
    if len(text) > _LONG:
        text = _cut(text, row.start - len(row.line) + len(text), pattern)
    return row.line if len(text) >= len(row.line) else Recast(text, [row.line])


def _cut(text: str, start: int, pattern: str) -> str:
    """Keep the beginning of a long line, and what stands around *pattern* when that is plain text."""
    at = text.find(pattern, start) if pattern else -1
    if at < _LONG // 2:
        return cut(text, _LONG * 3 // 4, _LONG // 8)
    first, second = max(start + 40, at - 80), min(len(text), at + len(pattern) + 80)
    return cut(text[:first], start + 40, 0) + cut(text[first:], second - first, 0)


class _Ranked:
    """A file whose matches are in order of what they say: definitions first, the outermost before all."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.matches = [row for row in file.rows if row.kind == MATCH]
        values = [_value(row.text) for row in self.matches]
        self.best = max(values, default=0)
        self.order: Sequence[int] = range(len(values))
        if self.best:
            self.order = sorted(self.order, key=values.__getitem__, reverse=True)
        size = len(file.head) + 1 if file.head else 0
        self.sizes = [size]
        for index in self.order:
            size += min(len(self.matches[index].line), _LONG) + 1
            self.sizes.append(size)
        self.kept: set[int] = set()
        self.distances: list[int] = []

    def count(self, share: int) -> int:
        """Return how many matches stay: all of a few, else in proportion to the root of how many there are."""
        total = len(self.matches)
        return total if total <= _SMALL_FILE else min(total, max(1, isqrt(total * share * share) // _STEPS))

    def size(self, share: int) -> int:
        """Return the characters that those matches take, and the marker for the others."""
        count = self.count(share)
        return self.sizes[count] + (0 if count == len(self.file.rows) else 18)

    def choose(self, share: int) -> None:
        """Choose the matches that stay, and tell how far each line of context is from the next of them."""
        self.kept = set(map(id, (self.matches[index] for index in self.order[: self.count(share)])))
        if len(self.matches) < len(self.file.rows):
            self.distances = _distances(self.file.rows, self.kept)

    def written(self, reach: int, pattern: str) -> Iterator[Piece]:
        """Keep the chosen matches in their order, with context up to *reach*, and count the rest below them."""
        hidden: dict[str, list[str]] = {MATCH: [], CONTEXT: []}
        if self.file.head:
            yield self.file.head
        named = bool(self.file.head)
        for index, row in enumerate(self.file.rows):
            if id(row) in self.kept or (row.kind == CONTEXT and self.distances[index] <= reach):
                yield _row(row, self.file.path if named and row.kind == CONTEXT and not self.file.head else "", pattern)
                named = True
            elif row.kind == SEPARATOR and reach:
                yield row.line
                named = bool(self.file.head)
            else:
                hidden[MATCH if row.kind == MATCH else CONTEXT].append(row.line)
        for noun, lines in hidden.items():
            yield Fold(lines, noun, known=True)


def _distances(rows: Sequence[Row], kept: set[int]) -> list[int]:
    """Return how many lines each row is away from the nearest kept match of its group."""
    distances = [_FAR] * len(rows)
    for order in (range(len(rows)), range(len(rows) - 1, -1, -1)):
        away = _FAR
        for index in order:
            away = 0 if id(rows[index]) in kept else _FAR if rows[index].kind == SEPARATOR else away + 1
            distances[index] = min(distances[index], away)
    return distances


def _reach(files: Sequence[_Ranked], left: int) -> int:
    """Return how many lines of context on either side of the kept matches fit in what is left."""
    sizes: dict[int, int] = {}
    for file in files:
        for row, distance in zip(file.file.rows, file.distances, strict=False):
            if row.kind == CONTEXT and distance < _FAR:
                sizes[distance] = sizes.get(distance, 0) + len(row.text) + 8
    reach = 0
    for distance in sorted(sizes):
        left -= sizes[distance]
        if left < 0:
            break
        reach = distance
    return reach


def _value(text: str) -> int:
    """Return what a match says about the searched name: where it is defined, or that it is used."""
    word = text.split(None, 1)[:1]
    if not word or word[0] not in _LEADS or not _DEFINITION.match(text):
        return 0
    indent = len(text) - len(text.lstrip())
    return 3 if not indent else 1 if indent > 4 or "def __" in text else 2


def _share(files: Sequence[_Ranked], budget: int) -> int:
    """Return the largest share that fits; 0 when not even one match of each file does."""
    low, high = 0, _STEPS * 30
    while low < high:
        middle = (low + high + 1) // 2
        if sum(file.size(middle) for file in files) <= budget:
            low = middle
        else:
            high = middle - 1
    return low


def _by_name(items: Sequence[File | str], files: Sequence[_Ranked], budget: int, pattern: str) -> Iterator[Piece]:
    """Too many files to show a match of each: the best show one, the others are named, or their folders are."""
    order = sorted(range(len(files)), key=lambda index: (-files[index].best, -len(files[index].matches), index))
    room = budget // 2
    chosen: set[int] = set()
    for index in order:
        room -= files[index].size(1)
        if room < 0:
            break
        chosen.add(index)
    names = _Names([file.file.path for index, file in enumerate(files) if index not in chosen], budget // 2)
    at = 0
    for item in items:
        if isinstance(item, str):
            yield _apart(item)
            continue
        if at in chosen:
            files[at].choose(1)
            yield from files[at].written(0, pattern)
        else:
            lines = [*([item.head] if item.head else []), *(row.line for row in item.rows)]
            yield Fold(lines, MATCH, known=True, names=names.of(item.path))
        at += 1


class _Names:
    """Names for folded files: each path while that fits, else the folders above them, each once."""

    def __init__(self, paths: Sequence[str], budget: int) -> None:
        self.said: set[str] = set()
        whole = sum(map(len, paths)) + 2 * len(paths) <= budget
        self.depth = 0 if whole else next((depth for depth in range(8, 1, -1) if _fits(paths, depth, budget)), 1)

    def of(self, path: str) -> str:
        """Return the name that stands for *path*, "" where it was said before."""
        name = _top(path, self.depth) if self.depth else path
        if name in self.said:
            return ""
        self.said.add(name)
        return name


def _fits(paths: Sequence[str], depth: int, budget: int) -> bool:
    return sum(len(top) + 2 for top in {_top(path, depth) for path in paths}) <= budget


def _top(path: str, depth: int) -> str:
    parts = path.split("/", depth)
    return path if len(parts) <= depth else "/".join([*parts[:depth], ""])
