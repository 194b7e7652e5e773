"""Reads matches of a search: ``path:line:text`` and its relatives, file by file.

The shapes are those of grep, git grep, ripgrep, ag and ack: a match has ``:`` behind its number, a line of context ``-``
(git writes ``=`` before a function's head); ``--`` stands between groups; with a heading, the path has a line of its own.
"""

from __future__ import annotations

from itertools import pairwise

from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.rx import Rx

MATCH = "match"
CONTEXT = "line of context"
SEPARATOR = "--"
_MARKS = ("-", "=")
_SAMPLE = 120

_NUMBERED = rx(r"(?!\[?\d+:|\d{4}-\d\d-\d\d[T ])((?:[A-Za-z]:(?=[\\/]))?[^:\n]+):(\d+):")
_NAMED = rx(r"((?:[A-Za-z]:(?=[\\/]))?[^\s:]+):")
_SUFFIX = rx(r"\.\w{1,8}$")
_BARE = rx(r"(\d+)([:\-=])")
_AROUND = rx(r"[-=](?:(\d+)[-=])?")


class Row:
    """A line of a file: a match or a line of context; ``path`` is "" where the line does not name it."""

    __slots__ = ("kind", "line", "start")

    def __init__(self, line: str, kind: str, start: int) -> None:
        self.line = line
        self.kind = kind
        self.start = start

    @property
    def text(self) -> str:
        """What stands in the file, after path and number."""
        return self.line[self.start :]


class File:
    """Neighbouring rows of one file; *head* is the path where it has a line of its own."""

    __slots__ = ("head", "path", "rows")

    def __init__(self, path: str, head: str = "") -> None:
        self.path = path
        self.head = head
        self.rows: list[Row] = []


def read(lines: Sequence[str]) -> list[File | str]:
    """Gather rows by file, in order; what is no row (separators, messages, blank lines) stays a ``str``."""
    sample = [line for line in lines[:_SAMPLE] if line.strip() and line != "--"]
    if _explains(_NUMBERED, sample):
        return _prefixed(lines, _NUMBERED)
    if _counts_up(sample):
        return _below_headings(lines)
    if _explains(_NAMED, sample):
        return _prefixed(lines, _NAMED)
    return list(lines)


def _counts_up(sample: Sequence[str]) -> bool:
    """Tell whether a third of the lines begin with a number that grows from line to line, which times and dates do not."""
    numbers = [int(found.group(1)[-9:]) if (found := _BARE.match(line)) else -1 for line in sample]
    pairs = [(before, after) for before, after in pairwise(numbers) if before >= 0 <= after]
    alone = len(numbers) - numbers.count(-1)
    return alone * 3 > len(sample) and sum(before >= after for before, after in pairs) * 10 <= len(pairs)


def _explains(pattern: Rx, sample: Sequence[str]) -> bool:
    """Tell whether half of the lines are matches with a path, or context of the same paths."""
    found = [match.group(1) if (match := pattern.match(line)) else "" for line in sample]
    paths = {path for path in found if path and _is_path(path, pattern)}
    told = sum(
        1 for line, path in zip(sample, found, strict=True) if path in paths or any(_belongs(line, each) for each in paths)
    )
    return bool(paths) and told * 2 > len(sample)


def _is_path(path: str, pattern: Rx) -> bool:
    """Tell whether *path* looks like one: with blanks in it, or with no number behind it, it needs a slash or a suffix."""
    if pattern is _NUMBERED and " " not in path:
        return True
    return "/" in path or "\\" in path or _SUFFIX.search(path) is not None or (path.isalnum() and path[:1].isupper())


def _prefixed(lines: Sequence[str], pattern: Rx) -> list[File | str]:
    """Rows that begin with their path. A line of context can look like a match in a file that does not exist.

    ``a.py-7-x:8:`` is line 7 of ``a.py`` where that file has matches.
    """
    items = _gather(lines, pattern, frozenset())
    paths = {item.path for item in items if isinstance(item, File)}
    false = frozenset(path for path in paths if any(path[:at] in paths for at, char in enumerate(path) if char in "-="))
    return _gather(lines, pattern, false) if false else items


def _gather(lines: Sequence[str], pattern: Rx, false: frozenset[str]) -> list[File | str]:
    match = pattern.match
    numbered = pattern is _NUMBERED
    items: list[File | str] = []
    waiting: list[str] = []
    current: File | None = None
    for line in lines:
        found = match(line)
        path = "" if found is None else found.group(1)
        if found is None or path in false or ((" " in path or not numbered) and not _is_path(path, pattern)):
            waiting.append(line)
            continue
        if waiting:
            _place(waiting, items, current, path)
            waiting = []
        if current is None or current.path != path or items[-1] is not current:
            current = _file(items, path)
        current.rows.append(Row(line, MATCH, found.end()))
    _place(waiting, items, current, "")
    return items


def _file(items: list[File | str], path: str) -> File:
    """Return the file at the end of *items*, a new one where that is another."""
    last = items[-1] if items else None
    if isinstance(last, File) and last.path == path:
        return last
    items.append(made := File(path))
    return made


def _place(waiting: Sequence[str], items: list[File | str], before: File | None, after: str) -> None:
    """Give each waiting line to the file of the match before or after it; ``--`` stays inside a file that goes on below.

    Context that has lost its path already, as ``shorten`` writes it, goes on in the file above it.
    """
    for line in waiting:
        last = items[-1] if items else None
        if line == SEPARATOR and before is not None and before.path == after and last is before:
            before.rows.append(Row(line, SEPARATOR, 0))
            continue
        path = before.path if before is not None and _belongs(line, before.path) else after if _belongs(line, after) else ""
        if path:
            last = _file(items, path)
        elif line[:1] not in _MARKS or line == SEPARATOR or not isinstance(last, File):
            items.append(line)
            continue
        found = _AROUND.match(line, len(path))
        last.rows.append(Row(line, CONTEXT, found.end() if found is not None else 0))


def _belongs(line: str, path: str) -> bool:
    return bool(path) and line.startswith(path) and line[len(path) : len(path) + 1] in _MARKS


def _below_headings(lines: Sequence[str]) -> list[File | str]:
    """Rows that begin with their number, below a line that names the file, or all of one file."""
    items: list[File | str] = []
    for line in lines:
        found = _BARE.match(line)
        last = items[-1] if items else None
        if found is not None:
            if not isinstance(last, File):
                head = str(items.pop()) if isinstance(last, str) and last.strip() and last != "--" else ""
                last = File(head, head)
                items.append(last)
            last.rows.append(Row(line, MATCH if found.group(2) == ":" else CONTEXT, found.end()))
        else:
            items.append(line)
    return items
