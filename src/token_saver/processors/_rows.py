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
    r"((?:\d+, +)?[\d.,]+[KMGTPEZY]?i?B?) +(" + _DATE + r") +(\S.*)"
)
_FIRST = frozenset(" 0123456789-bcCdDlMnpPs?")
_GAP = rx(r"(?<=\S)(?:[ \t]{2,}|\t)(?=\S)")
_LEAST_RUN = 3
_USUAL = {"-rw-r--r--": "-", "drwxr-xr-x": "d", "lrwxrwxrwx": "l", "-rw-r--r--.": "-", "drwxr-xr-x.": "d", "lrwxrwxrwx.": "l"}


class Entry:
    """One row of a listing: the words before the name, and the name with the target of a link."""

    __slots__ = ("_words", "lead", "line", "name")

    def __init__(self, line: str, lead: str, words: list[str] | int, name: str) -> None:
        self.line = line
        self.lead = lead
        self._words = words
        self.name = name

    @property
    def words(self) -> list[str]:
        """Mode, links, owner, group, size and the words of the date; split when first asked for, as long listings never are."""
        if isinstance(self._words, int):
            self._words = self.line.split(None, self._words)[:-1]
        return self._words

    @property
    def mode(self) -> str:
        """The ten letters of type and permissions."""
        return self.words[0]

    @property
    def owner(self) -> list[str]:
        """Owner and group."""
        return self.words[2:4]

    @property
    def size(self) -> str:
        """The size as it was printed."""
        return self.words[4]

    @property
    def date(self) -> str:
        """The date without padding."""
        return " ".join(self.words[5:])

    @property
    def alike(self) -> tuple[Sequence[str], Sequence[str]]:
        """What neighbours share when they were made together: all but size and name."""
        return self.words[:4], self.words[5:]


class Reader:
    """Reads rows; the first one tells in how many words the others put what stands before the name."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def entry(self, line: str) -> Entry | None:
        """Read *line*; None when it is no such row."""
        if line[:1] not in _FIRST:
            return None
        if self.count and line[0] in "-dl":
            words = line.split(None, self.count)
            if len(words) > self.count and 10 <= len(words[0]) <= 11 and words[1].isdigit() and _ends_date(words[-2]):
                return Entry(line, "", self.count, words[-1])
        found = _ROW.match(line)
        if found is None:
            return None
        lead, mode, links, owner, group, size, date, name = (cell or "" for cell in found.groups())
        words = [mode, links, owner, group, size.replace(" ", ""), *date.split()]
        if not self.count and not lead and all(words) and mode[0] in "-dl":
            self.count = len(words)
        return Entry(line, " ".join(lead.split()), words, name)


def _ends_date(word: str) -> bool:
    """Tell whether *word* can be the last of a date: a time, a year, a zone."""
    return ":" in word or word.lstrip("+-").isdigit()


def columns(line: str) -> str:
    """Names in columns, as on a terminal, lose their padding; one gap alone may be part of a name."""
    text, gaps = _GAP.subn("  ", line)
    return text if gaps > 1 else line


def squeezed(rows: Sequence[Entry | str]) -> Iterator[Piece]:
    """Write every cell, without padding; owner and group only where they change, and a run of likes below what they share."""
    shown = ["", ""]
    start = 0
    while start < len(rows):
        row = rows[start]
        start += 1
        if isinstance(row, str):
            text = columns(row)
            yield Recast(text, [row]) if len(text) < len(row) else row
            continue
        owner = [] if row.owner == shown else row.owner
        shown = row.owner
        run = _run(rows, start - 1)
        if len(run) >= _LEAST_RUN:
            head = _words(*row.words[:2], *owner, row.date)
            yield Recast(head + ":" + "".join(f"\n {each.size} {each.name}" for each in run), [each.line for each in run])
            start += len(run) - 1
        else:
            yield Recast(_words(row.lead, *row.words[:2], *owner, row.size, row.date, row.name), [row.line])


def _run(rows: Sequence[Entry | str], start: int) -> list[Entry]:
    """Return the neighbours from *start* that differ only in size and name."""
    first = rows[start]
    run: list[Entry] = []
    if isinstance(first, str) or first.lead:
        return run
    alike = first.alike
    for index in range(start, len(rows)):
        row = rows[index]
        if isinstance(row, str) or row.alike != alike:
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
        strange = isinstance(row, str)
        mode = "" if isinstance(row, str) or least is None else _USUAL.get(row.mode, row.mode) if least else row.mode
        folder = found.get(mode)
        if folder is None:
            folder = found[mode] = Folder(prefix=f"{mode}: " if mode else "", apart=strange)
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
