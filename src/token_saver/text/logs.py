"""Logs: one record a template with its number and last time, everything at warning or above, traces once.

Templates are mined in two steps. Digits are written as ``0`` in one pass over the whole text, which already joins most
records. The distinct rest is merged as Drain does (He, Zhu, Zheng and Lyu, ICWS 2017): records of as many tokens that begin
alike belong together when most of their tokens are equal. Only distinct lines pay for the second step, and no more than
``MINED`` of them, so the time grows linearly and the memory is bounded. ``python -m benchmarks grouping`` measures the groups.
"""

from __future__ import annotations

from token_saver.text.critical import is_critical
from token_saver.text.folders import allowance
from token_saver.text.pieces import Fold
from token_saver.text.rx import rx
from token_saver.text.templates import template, templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

MINED = 5000
LEAF = 40
ALIKE = 0.6
VARIED = 12
"""Kinds of one shape from which on a plain word is taken for a value, as a name is."""
SAMPLE = 200
FEW = 3
RARE = 10
TRACE = 60
FAILURE, WARNING, INFO = 3, 2, 1
_NEVER = 9

_STAMP = rx(
    r"[\[({\"]?(?:\S{1,40}\s*\|\s+)?(?:<\d+>)?[\[(]?(?:\"?(?:time|ts|timestamp|@timestamp)\"?[:=] ?\"?)?"
    r"(?P<stamp>\d{4}[-/.]\d\d[-/.]\d\d[T ,_]?(?:\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?)?"
    r"|\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d"
    r"|(?:[A-Z][a-z]{2} )?[A-Z][a-z]{2} {1,2}\d{1,2}(?:, \d{4})? \d\d?:\d\d:\d\d"
    r"|\d\d:\d\d:\d\d(?:[.,]\d+)?|\d{10}(?:\.\d+|\d{3})?\b"
    r"|\[ *\d+\.\d{4,}\])"
)
_JSON = rx(r"\{\"?\w")
_ACCESS = rx(r"\S+ \S+ \S+ \[")
_LEVEL = rx(
    r"(?:.{0,160}?[\"\s\[(<|=:])?(?:(?P<failure>ERROR|ERR|CRIT|CRITICAL|FATAL|SEVERE|EMERG|ALERT|PANIC|FAILURE"
    r"|error|fatal|critical|panic|crit)"
    r"|(?P<warning>WARN|WARNING|warn|warning|Warning)|(?P<info>TRACE|DEBUG|INFO|NOTICE|FINE|CONFIG|trace|debug|info|notice))(?=[\"\]\s)>|:,]|$)"
)
_NUMBER_LEVEL = rx(r".{0,400}?\"level\": ?(?P<level>\d0)\b")
_STATUS = rx(r".{0,400}?\" (?P<class>[1-5])\d\d ")
_TRACE_LINE = rx(
    r"\s|Traceback|Caused by|Suppressed|During handling|The above exception|\w[\w.$]*(?:Error|Exception|Warning)\b|at |\}|\]"
)


class Record:
    """A record: its *lines* (the first with the stamp, then its trace), its *level* and its *kind*."""

    __slots__ = ("kind", "level", "lines", "stamp")

    def __init__(self, lines: list[str], level: int, kind: int, stamp: str) -> None:
        self.lines = lines
        self.level = level
        self.kind = kind
        self.stamp = stamp


def is_log(lines: Sequence[str]) -> bool:
    """Tell whether most of the first lines begin with a time, or are JSON records with a level."""
    sample = [line for line in lines[:SAMPLE] if line.strip() and not line[:1].isspace()]
    if len(sample) < 5:
        return False
    hits = sum(1 for line in sample if _STAMP.match(line) or _ACCESS.match(line) or (_JSON.match(line) and '"level"' in line))
    return hits * 3 >= len(sample) * 2


def read_log(lines: Sequence[str], budget: int | None = None) -> Iterator[Piece]:
    """Yield the lines of a log as pieces, in about *budget* characters (default: the allowance for its size)."""
    chars = sum(map(len, lines)) + len(lines)
    room = allowance(chars) if budget is None else budget
    if chars <= room:
        yield from lines
        return
    records = list(records_of(lines))
    chosen = _chosen(records, room)
    last = _last_stamps(records)
    seen: set[int] = set()
    traces: set[str] = set()
    waiting: dict[int, list[str]] = {}
    for index, record in enumerate(records):
        if index not in chosen:
            waiting.setdefault(record.kind, []).extend(record.lines)
    for index, record in enumerate(records):
        if index not in chosen:
            continue
        yield record.lines[0]
        yield from _trace(record.lines[1:], traces)
        if record.kind not in seen:
            seen.add(record.kind)
            more = waiting.pop(record.kind, None)
            if more:
                yield Fold(more, "line like it", names=last[record.kind])
    rest = [line for more in waiting.values() for line in more]
    if rest:
        yield Fold(rest, "line of other kinds")


def records_of(lines: Sequence[str]) -> Iterator[Record]:
    """Yield the records of a log, each with the number of its kind."""
    miner = _Miner()
    keys = templates(lines)
    stamped = any(_STAMP.match(line) for line in lines[:SAMPLE])
    current: Record | None = None
    known: dict[str, tuple[int, int]] = {}
    for line, key in zip(lines, keys, strict=True):
        if current is not None and _continues(line, stamped):
            current.lines.append(line)
            continue
        found = known.get(key)
        if found is None:
            level = _level(line)
            telling = level == FAILURE or is_critical(line)
            found = known[key] = (max(level, WARNING) if telling else level, miner.kind(key, exact=telling))
        if current is not None:
            yield current
        current = Record([line], found[0], found[1], "")
    if current is not None:
        yield current


def _continues(line: str, stamped: bool) -> bool:
    if not line or line[0] in " \t":
        return True
    if stamped and not line[0].isdigit() and _TRACE_LINE.match(line) and not _STAMP.match(line):
        return not _JSON.match(line)
    return False


def _level(line: str) -> int:
    head = line[:600]
    found = _NUMBER_LEVEL.match(head) if '"level"' in head else None
    if found is not None:
        number = int(found.group("level"))
        return FAILURE if number >= 50 else WARNING if number == 40 else INFO
    status = _STATUS.match(head) if '" ' in head and "HTTP/" in head else None
    if status is not None:
        return {"5": FAILURE, "4": WARNING}.get(status.group("class"), INFO)
    level = _LEVEL.match(head)
    if level is None:
        return FAILURE if is_critical(line) else INFO
    if level.group("failure"):
        return FAILURE
    return WARNING if level.group("warning") else INFO


class _Miner:
    """Drain with a tree of depth two: number of tokens, then the first tokens without numbers."""

    def __init__(self) -> None:
        self._leaves: dict[tuple[int, str], list[tuple[list[str], int]]] = {}
        self._mined = 0
        self._kinds = 0

    def kind(self, key: str, *, exact: bool = False) -> int:
        """Return the number of the kind that the template *key* belongs to.

        An *exact* template is a kind of its own: where a line tells of a failure, the word that differs may be the reason.
        """
        if exact:
            self._kinds += 1
            return self._kinds
        tokens = ["*" if "0" in token else token for token in key.split()]
        words = [token for token in tokens if token != "*"]
        leaf = self._leaves.setdefault((len(tokens), " ".join(words[:2])), [])
        if self._mined < MINED:
            for known, kind in leaf[:LEAF]:
                if _alike(known, tokens, words_count=len(leaf) < VARIED):
                    return kind
            self._mined += 1
        elif leaf:
            return leaf[0][1]
        self._kinds += 1
        leaf.append((tokens, self._kinds))
        return self._kinds


def _alike(one: Sequence[str], other: Sequence[str], *, words_count: bool) -> bool:
    """Tell whether two templates are of one kind; *words_count* says that a plain word in place of another makes two."""
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
    if words_count and any(a.isalpha() and b.isalpha() for a, b in differing):
        return False
    return len(differing) <= (1 - ALIKE) * len(one)


def _chosen(records: Sequence[Record], budget: int) -> set[int]:
    """Choose records by worth: the first failures of a kind, warnings, the first of every kind, both ends, more failures."""
    numbers: dict[int, int] = {}
    for record in records:
        numbers[record.kind] = numbers.get(record.kind, 0) + 1
    seen: dict[int, int] = {}
    order: list[tuple[int, int]] = []
    total = len(records)
    for index, record in enumerate(records):
        nth = seen[record.kind] = seen.get(record.kind, 0) + 1
        rare = record.level == FAILURE and numbers[record.kind] <= RARE
        worth = _worth(record, 1 if rare else nth, min(index, total - 1 - index))
        if worth < _NEVER:
            order.append((worth, index))
    order.sort()
    chosen: set[int] = set()
    for _, index in order:
        budget -= sum(map(len, records[index].lines[:TRACE])) + 1
        if budget < 0 and chosen:
            break
        chosen.add(index)
    return chosen


def _worth(record: Record, nth: int, from_end: int) -> int:
    """Return the place in the order of choice, lower first."""
    if from_end < 3:
        return 0
    if nth == 1:
        return {FAILURE: 1, WARNING: 2, INFO: 3}[record.level]
    if record.level == FAILURE and nth <= FEW:
        return 4
    if from_end < 10 or record.level == FAILURE:
        return 5
    return 6 if nth == 2 or (record.level == WARNING and nth <= FEW) else _NEVER


def _last_stamps(records: Sequence[Record]) -> dict[int, str]:
    last: dict[int, str] = {}
    for record in records:
        last[record.kind] = record.lines[0]
    stamps: dict[int, str] = {}
    for kind, line in last.items():
        found = _STAMP.match(line)
        stamps[kind] = f"last {found.group('stamp').strip()}" if found else ""
    return stamps


def _trace(lines: Sequence[str], traces: set[str]) -> Iterator[Piece]:
    """Yield a trace whole when it is new, as a count when it was shown before."""
    if not lines:
        return
    key = template("\n".join(lines))
    if key in traces:
        yield Fold(lines, "line of a trace shown above", told=True)
        return
    traces.add(key)
    if len(lines) <= TRACE:
        yield from lines
        return
    yield from lines[: TRACE * 2 // 3]
    yield Fold(lines[TRACE * 2 // 3 : -TRACE // 3], "line of trace")
    yield from lines[-TRACE // 3 :]
