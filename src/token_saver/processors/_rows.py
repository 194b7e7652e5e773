"""Rows of ``ls -l`` and ``find -ls``, in the formats of coreutils, BSD and busybox, and in any locale."""

from __future__ import annotations

from token_saver.text import Recast, rx
from token_saver.text.markers import marker
from token_saver.text.paths import Folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text import Piece

_DATE = (
    r"\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: [+-]\d{4})?)?|\d\d-\d\d \d\d:\d\d|"
    r"\S{1,9} +\S{1,9} +(?:\d{1,2}:\d\d(?::\d\d)?(?: +\d{4})?|\d{4})"
)
_ROW = rx(
    r"((?: *[\d.,]+[KMG]? +){0,2})([bcCdDlMnpPs?-][rwxsStTlL?-]{9}[.+@]?) +(?:(\d+) +)?(?:(\S+) +)?(?:(\S+) +)?"
    r"((?:\d+, +)?[\d.,]+[KMGTPEZY]?i?B?) +(" + _DATE + r") (.+)"
)
_GAP = rx(r"(?<=\S)(?: {2,}|\t)[ \t]*(?=\S)")
_LEAST_RUN = 3
_USUAL = {"-rw-r--r--": "-", "drwxr-xr-x": "d", "lrwxrwxrwx": "l", "-rw-r--r--.": "-", "drwxr-xr-x.": "d", "lrwxrwxrwx.": "l"}


class Entry:
    """One row: *lead* holds inode and blocks where they were asked for."""

    __slots__ = ("date", "group", "lead", "line", "links", "mode", "name", "owner", "size")

    def __init__(self, line: str, cells: Sequence[str | None]) -> None:
        lead, mode, links, owner, group, size, date, name = (cell or "" for cell in cells)
        self.line = line
        self.lead = " ".join(lead.split())
        self.mode = mode
        self.links = links
        self.owner = owner
        self.group = group
        self.size = size.replace(" ", "")
        self.date = " ".join(date.split())
        self.name = name

    @property
    def alike(self) -> tuple[str, str, str, str, str]:
        """What neighbours share when they were made together."""
        return self.mode, self.links, self.owner, self.group, self.date


def entry(line: str) -> Entry | None:
    """Read *line*; None when it is no such row."""
    found = _ROW.match(line)
    return None if found is None else Entry(line, found.groups())


def columns(line: str) -> str:
    """Names in columns, as on a terminal, lose their padding; one gap alone may be part of a name."""
    text, gaps = _GAP.subn("  ", line)
    return text if gaps > 1 else line


def squeezed(rows: Sequence[Entry | str]) -> Iterator[Piece]:
    """Write every cell, without padding; owner and group only where they change, and a run of likes below what they share."""
    shown = ("", "")
    start = 0
    while start < len(rows):
        row = rows[start]
        if isinstance(row, str):
            text = columns(row)
            yield Recast(text, [row]) if len(text) < len(row) else row
            start += 1
            continue
        run = _run(rows, start)
        owner = () if (row.owner, row.group) == shown else (row.owner, row.group)
        shown = (row.owner, row.group)
        if len(run) >= _LEAST_RUN:
            head = _words(row.mode, row.links, *owner, row.date)
            yield Recast(head + ":" + "".join(f"\n {each.size} {each.name}" for each in run), [each.line for each in run])
            start += len(run)
        else:
            yield Recast(_words(row.lead, row.mode, row.links, *owner, row.size, row.date, row.name), [row.line])
            start += 1


def _run(rows: Sequence[Entry | str], start: int) -> list[Entry]:
    """Return the neighbours from *start* that differ only in size and name."""
    first = rows[start]
    run: list[Entry] = []
    for row in rows[start:] if isinstance(first, Entry) and not first.lead else ():
        if isinstance(row, str) or row.lead or not isinstance(first, Entry) or row.alike != first.alike:
            break
        run.append(row)
    return run


def _words(*words: str) -> str:
    return " ".join(word for word in words if word)


def folders(rows: Iterable[Entry | str], least: float | None) -> list[Folder]:
    """Gather the names of one directory by mode, and write the size behind files of *least* bytes or more.

    With 0 every size and mode stands; above it usual permissions go; with None neither modes nor sizes stay.
    """
    found: dict[str, Folder] = {}
    for row in rows:
        mode = "" if isinstance(row, str) or least is None else _USUAL.get(row.mode, row.mode) if least else row.mode
        folder = found.setdefault(mode, Folder(prefix=f"{mode}: " if mode else "", apart=isinstance(row, str)))
        if isinstance(row, str):
            folder.add(columns(row), row)
        else:
            big = least is not None and row.mode[:1] == "-" and _bytes(row.size) >= least
            folder.add(f"{row.name}({row.size})" if big else row.name, row.line)
    return list(found.values()) or [Folder()]


def large(rows: Sequence[Entry]) -> float:
    """Return the size from which a file is among the largest: a twentieth of the rows, ten at least."""
    sizes = sorted((_bytes(row.size) for row in rows if row.mode[:1] == "-"), reverse=True)
    return max(1.0, sizes[min(len(sizes) - 1, max(10, len(rows) // 20))]) if sizes else 1.0


def _bytes(size: str) -> float:
    """Return *size* as a number; ``4.0K`` and ``1,5M`` are understood, device numbers are 0."""
    number = size.rstrip("KMGTPEZYiB").replace(",", ".")
    factor = 1024.0 ** (" KMGTPEZY".find(size[len(number) : len(number) + 1]) if len(number) < len(size) else 0)
    return float(number) * factor if number.replace(".", "", 1).isdigit() else 0.0


def columns_gone(least: float | None) -> str:
    """Return the marker for the columns that names alone leave out."""
    gone = [
        "links",
        "owner",
        "group",
        "date",
        *(("mode", "size") if least is None else ("usual modes", "most sizes") if least else ()),
    ]
    return marker([(len(gone), "column", ", ".join(gone))])
