"""Tracebacks in pytest's styles (long, short, line, native): what failed and where, in the user's own code.

Long frames end with their place (``shop.py:16: OutOfStock``), short ones begin with it (``shop.py:16: in add``), both may
follow each other in one traceback (``--tb=auto``); ``E`` begins the lines of the reason, ``>`` the statement that failed.
"""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.text import Recast, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

SEPARATOR = "_ _ _ _"
_PLACE = rx(r"(?!\w+ += )(?:[A-Za-z]:\\)?([^\s:][^:\n]*):(\d+):(?: (.*))?$")
_FILE = rx(r'[ |+]*File "([^"\n]+)", line \d+(?:,? in .*)?$')
_CAUSE = ("During handling of the above exception", "The above exception was the direct cause")
_RAISED = rx(r"[A-Za-z_][\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Failed|Group)\b|[\w.]+: (?!\d)")
_GROUP = rx(r" *[|+] ?")  # the rule that an exception group draws before its lines
_VARIABLE = rx(r"[A-Za-z_]\w*\s* = ")
_POINTER = rx(r"[\s|]*[\^~]+\s*$")
_EXAMPLE = ("Falsifying example:", "Failing test case:", "Falsifying explicit example:")
_HINT_TEXTS = ("Use -v", "...Full output truncated", "Omitting ", "use 'pytest --fixtures")
_FOREIGN = ("site-packages", "dist-packages", "/lib/python", "/_pytest/", "/pluggy/", "\\Lib\\", "/importlib/", "/asyncio/")
_DETAIL_LINES = 6
_ABOVE = 6


class Seen:
    """What earlier tracebacks of the run have shown: places, reasons."""

    __slots__ = ("counts",)

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def again(self, text: str) -> int:
        """Return how often *text* was met before, and remember it."""
        count = self.counts.get(text, 0)
        self.counts[text] = count + 1
        return count


def is_place(line: str) -> bool:
    """Tell whether *line* names a place of a traceback: ``path:line: in name`` or ``path:line: Exception``."""
    return _PLACE.match(line) is not None


def is_reason(line: str) -> bool:
    """Tell whether *line* is an ``E`` line."""
    return line[:1] == "E" and line[1:3] in ("", "  ")


def file_of(line: str) -> str:
    """Return the path in a line ``File "path", line 3, in name``, "" when it is none."""
    found = _FILE.match(line)
    return found.group(1) if found is not None else ""


def foreign(path: str) -> bool:
    """Tell whether *path* belongs to Python or to an installed library."""
    return path[:1] == "<" or any(part in path for part in _FOREIGN)


def mark(lines: Sequence[str], seen: Seen) -> Iterator[Mark]:
    """Mark the lines of one traceback."""
    waiting: list[str] = []
    entry = ""
    top = True
    for line in lines:
        first = line[:1]
        if first in " >" or is_reason(line):
            waiting.append(line)
        elif (found := _PLACE.match(line)) is not None:
            if (found.group(3) or "").startswith("in "):
                yield from _entry(entry, waiting, top, seen)
                top = top and not entry
                entry, waiting = line, []
            elif entry:
                yield from _entry(entry, waiting, top, seen)
                yield m.PLACE, m.SOURCE, line
                entry, waiting, top = "", [], False
            else:
                yield from _frame(waiting, found, top, seen)
                waiting, top = [], False
        elif first == "_" and line.startswith(SEPARATOR):
            yield from _entry(entry, waiting, top, seen)
            yield m.NEVER, m.CODE, line
            top = top and not entry
            entry, waiting = "", []
        elif line.startswith(_CAUSE):
            yield from _entry(entry, waiting, top, seen)
            yield m.FRAME, m.CODE, line
            entry, waiting, top = "", [], False
        else:
            waiting.append(line)
    yield from _entry(entry, waiting, top, seen)


def _entry(place: str, lines: list[str], top: bool, seen: Seen) -> Iterator[Mark]:
    """A frame that begins with its place, or (without *place*) lines that belong to no frame."""
    if not place:
        yield from _loose(lines, seen)
        return
    library = foreign(place.partition(":")[0])
    end = top or any(map(is_reason, lines))
    known = seen.again(place + (lines[0] if lines else "")) > 1
    yield _entry_worth(library, known, m.PLACE if end else m.FRAME, m.REST), (m.LIBRARY if library else m.SOURCE), place
    yield from _body(lines, library, _entry_worth(library, known, m.STATEMENT if end else m.CONTEXT, m.NOISE), seen)


def _entry_worth(library: bool, known: bool, first: int, again: int) -> int:
    return m.NEVER if library else again if known else first


def _body(lines: Sequence[str], library: bool, worth: int, seen: Seen) -> Iterator[Mark]:
    """The source of a short frame, and the reason below it."""
    reason: list[str] = []
    noise: list[str] = []
    for line in lines:
        if is_reason(line) or (reason and line[:1] == " "):
            reason.append(line)
        elif not line.strip() or _POINTER.match(line) or (library and line[:1] == " "):
            noise.append(line)
        elif line[:1] in " \t":
            yield worth, m.CODE, line
        else:
            yield m.FRAME, m.SOURCE, line
    yield m.NEVER, (m.LIBRARY if library else m.CODE), noise
    yield from _reason(reason, seen)


def _frame(lines: list[str], place: re.Match[str], top: bool, seen: Seen) -> Iterator[Mark]:
    """A frame that ends with its place: variables, source, the failing statement, the reason."""
    text, raised = place.string, place.group(3) or ""
    at = next((index for index, line in enumerate(lines) if line[:1] == ">"), -1)
    library = foreign(place.group(1))
    if library:
        yield m.NEVER, m.LIBRARY, [line for line in lines if not is_reason(line)]
        yield from _reason([line for line in lines if is_reason(line)], seen)
    elif at < 0:
        yield from _one_line(lines, text, raised, seen)
        return
    else:
        yield from _source(lines, at, seen.again(text + lines[at]) > 0, seen)
    noun = m.LIBRARY if library and not raised else m.SOURCE
    yield (m.PLACE if raised or (top and not library) else m.NEVER if library else m.FRAME), noun, text


def _one_line(lines: list[str], place: str, raised: str, seen: Seen) -> Iterator[Mark]:
    """``--tb=line``: the reason, then the place, which repeats the reason's first line."""
    text = lines[0][1:].strip() if lines and is_reason(lines[0]) else ""
    if text and raised.startswith(text):
        yield m.REASON, m.SOURCE, Recast(place, [lines[0], place])
        yield from _further(lines[1:])
        return
    yield from _body(lines, False, m.DETAIL, seen)
    yield m.REASON, m.SOURCE, place


def _source(lines: list[str], at: int, again: bool, seen: Seen) -> Iterator[Mark]:
    """A frame of the user's own: *at* is the index of the statement that failed."""
    head = next((index for index in range(at) if lines[index][:1] == " "), at)
    near = max(head + 1, at - _ABOVE)
    noise = lines[head + 1 : near]
    for line in lines[:head]:
        if line:
            yield _variable(line, again, seen)
        else:
            noise.append(line)
    reason: list[str] = []
    for index in (head, *range(near, len(lines))) if head < at else range(at, len(lines)):
        line = lines[index]
        if is_reason(line) or (reason and line[:1] == " "):
            reason.append(line)
        elif line[:1] == ">":
            yield (m.DETAIL if again else m.STATEMENT), m.CODE, line
        elif not line.strip() or _POINTER.match(line):
            noise.append(line)
        elif line[:1] == " ":
            yield (m.NOISE if again else _worth(index - at, index == head)), m.CODE, line
        else:
            yield _variable(line, again, seen)
    yield m.NEVER, m.CODE, noise
    yield from _reason(reason, seen)


def _worth(distance: int, head: bool) -> int:
    """Return what a line of source is worth, *distance* lines below the failing statement."""
    if distance > 0:
        return m.DETAIL if distance <= _DETAIL_LINES else m.REST
    return m.CONTEXT if distance >= -2 else m.EDGE if head else m.REST


def _variable(line: str, again: bool, seen: Seen) -> Mark:
    """An argument or a local variable; one that is only an object's address says nothing."""
    if not _VARIABLE.match(line):
        return (m.NEVER if line.startswith("[gw") else m.FRAME), m.SOURCE, line
    if line.count(" = ") == line.count(" at 0x"):
        return m.NEVER, m.CODE, line
    if again:
        return m.NOISE, m.CODE, line
    return (m.REST if seen.again(line) else m.CONTEXT), m.CODE, line


def _reason(lines: list[str], seen: Seen) -> Iterator[Mark]:
    """The ``E`` lines of one exception; they lose the indent they share, and the blank ones among them."""
    if not lines:
        return
    texts = [line[1:].strip() for line in lines]
    shift = min((line.find(text) for line, text in zip(lines, texts, strict=True) if text and line[0] == "E"), default=4) - 4
    empty: list[str] = []
    for line, text, worth in zip(lines, texts, _reason_worths(texts, seen), strict=True):
        if not text:
            empty.append(line)
            continue
        noun = m.SOURCE if worth >= m.REASON else m.CODE
        if empty or (shift > 0 and line[0] == "E"):
            yield worth, noun, Recast("E" + line[1 + shift :] if shift > 0 and line[0] == "E" else line, [*empty, line])
            empty = []
        else:
            yield worth, noun, line
    yield m.NEVER, m.CODE, empty


def _reason_worths(texts: Sequence[str], seen: Seen) -> Iterator[int]:
    """Yield what each line of a reason is worth.

    A first line that stands above three times already gives room to others; what stands below it says more when the
    first line is itself shortened (``...``); an example that hypothesis found is worth as much as the statement.
    """
    brief = "..." in texts[0]
    example = False
    shown = 0
    for text in texts:
        example = text.startswith(_EXAMPLE) or (example and text[:1] != ")")
        if not shown and text:
            yield m.AGAIN if seen.again(text) > 2 else m.REASON
        elif text.startswith(_HINT_TEXTS):
            yield m.NEVER
        elif _RAISED.match(text):
            yield m.REASON
        elif example:
            yield m.STATEMENT
        elif shown <= _DETAIL_LINES:
            yield m.FRAME if brief else m.DETAIL
        else:
            yield m.EDGE if shown <= 20 else m.REST
        shown += bool(text)


def _further(lines: Sequence[str]) -> Iterator[Mark]:
    for index, line in enumerate(lines):
        yield (m.NEVER if not line.strip() else m.CONTEXT if index <= _DETAIL_LINES else m.REST), m.SOURCE, line


def _loose(lines: Sequence[str], seen: Seen) -> Iterator[Mark]:
    """Lines outside of pytest's own frames: a native traceback, a doctest, the words of a fixture error."""
    library = False
    reason: list[str] = []
    for line in lines:
        if is_reason(line):
            reason.append(line)
            continue
        yield from _reason(reason, seen)
        reason = []
        found = _FILE.match(line)
        if found is not None:
            library = foreign(found.group(1))
            yield (m.NEVER if library else m.FRAME), (m.LIBRARY if library else m.SOURCE), line
        elif not line.strip() or _POINTER.match(line):
            yield m.NEVER, m.SOURCE, line
        elif library and _GROUP.sub("", line, count=1)[:1] in " \t":
            yield m.NEVER, m.LIBRARY, line
        elif line.startswith("Traceback"):
            yield m.NEVER, m.CODE, line
        else:
            library = False
            yield _loose_worth(line), m.SOURCE, line
    yield from _reason(reason, seen)


def _loose_worth(line: str) -> int:
    if (line.startswith("[gw") and " -- Python " in line) or line.startswith("Hint: make sure your test mod"):
        return m.NEVER
    if line[1:].lstrip().startswith(_HINT_TEXTS):
        return m.NEVER
    if line.startswith(">") and "available fixtures:" in line:
        return m.REST
    if _VARIABLE.match(line):
        return m.NEVER if line.count(" = ") == line.count(" at 0x") else m.EDGE
    return m.REASON if _RAISED.match(_GROUP.sub("", line, count=1)) else m.FRAME
