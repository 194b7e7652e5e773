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

    from token_saver.processors.pytest._marks import Group

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


class Reader:
    """Reads one traceback after the other; what earlier ones have shown (places, reasons, variables) is worth less."""

    __slots__ = ("marks", "seen")

    def __init__(self) -> None:
        self.seen: dict[str, int] = {}
        self.marks: Group = []

    def read(self, lines: Sequence[str]) -> Group:
        """Return the marks of the lines of one traceback."""
        self.marks = []
        waiting: list[str] = []
        entry = ""
        top = True
        for line in lines:
            first = line[:1]
            if first in " >" or (first == "E" and is_reason(line)):
                waiting.append(line)
            elif (found := _PLACE.match(line)) is not None:
                if (found.group(3) or "").startswith("in "):
                    self._entry(entry, waiting, top)
                    top = top and not entry
                    entry, waiting = line, []
                elif entry:
                    self._entry(entry, waiting, top)
                    self.marks.append((m.PLACE, m.SOURCE, line))
                    entry, waiting, top = "", [], False
                else:
                    self._frame(waiting, found, top)
                    waiting, top = [], False
            elif first == "_" and line.startswith(SEPARATOR):
                self._entry(entry, waiting, top)
                self.marks.append((m.NEVER, m.CODE, line))
                top = top and not entry
                entry, waiting = "", []
            elif line.startswith(_CAUSE):
                self._entry(entry, waiting, top)
                self.marks.append((m.FRAME, m.CODE, line))
                entry, waiting, top = "", [], False
            else:
                waiting.append(line)
        self._entry(entry, waiting, top)
        return self.marks

    def _again(self, text: str) -> int:
        """Return how often *text* was met before, and remember it."""
        count = self.seen.get(text, 0)
        self.seen[text] = count + 1
        return count

    def _entry(self, place: str, lines: list[str], top: bool) -> None:
        """A frame that begins with its place, or (without *place*) lines that belong to no frame."""
        if not place:
            if lines:
                self._loose(lines)
            return
        if foreign(place.partition(":")[0]):
            self.marks.append((m.NEVER, m.LIBRARY, [place, *(line for line in lines if not is_reason(line))]))
            self._reason([line for line in lines if is_reason(line)])
            return
        known = self._again(place + (lines[0] if lines else "")) > 1
        end = top or (bool(lines) and any(map(is_reason, lines)))
        self.marks.append((m.REST if known else m.PLACE if end else m.FRAME, m.SOURCE, place))
        self._body(lines, m.NOISE if known else m.STATEMENT if end else m.CONTEXT)

    def _body(self, lines: Sequence[str], worth: int) -> None:
        """The source of a short frame, and the reason below it."""
        reason: list[str] = []
        noise: list[str] = []
        for line in lines:
            first = line[:1]
            if (first == "E" and is_reason(line)) or (reason and first == " "):
                reason.append(line)
            elif not line.strip() or _POINTER.match(line):
                noise.append(line)
            else:
                self.marks.append((worth if first == " " else m.FRAME, m.CODE if first == " " else m.SOURCE, line))
        if noise:
            self.marks.append((m.NEVER, m.CODE, noise))
        self._reason(reason)

    def _frame(self, lines: list[str], place: re.Match[str], top: bool) -> None:
        """A frame that ends with its place: variables, source, the failing statement, the reason."""
        text, raised = place.string, place.group(3) or ""
        if foreign(place.group(1)):
            self.marks.append((m.NEVER, m.LIBRARY, [line for line in lines if not is_reason(line)]))
            self._reason([line for line in lines if is_reason(line)])
            self.marks.append((m.PLACE, m.SOURCE, text) if raised else (m.NEVER, m.LIBRARY, text))
            return
        at = next((index for index, line in enumerate(lines) if line[:1] == ">"), -1)
        if at < 0:
            self._one_line(lines, text, raised)
            return
        self._source(lines, at, self._again(text + lines[at]) > 0)
        self.marks.append((m.PLACE if raised or top else m.FRAME, m.SOURCE, text))

    def _one_line(self, lines: list[str], place: str, raised: str) -> None:
        """``--tb=line``: the reason, then the place, which repeats the reason's first line."""
        text = lines[0][1:].strip() if lines and is_reason(lines[0]) else ""
        if not text or not raised.startswith(text):
            self._body(lines, m.DETAIL)
            self.marks.append((m.REASON, m.SOURCE, place))
            return
        self.marks.append((m.REASON, m.SOURCE, Recast(place, [lines[0], place])))
        for index, line in enumerate(lines[1:]):
            worth = m.NEVER if not line.strip() else m.CONTEXT if index <= _DETAIL_LINES else m.REST
            self.marks.append((worth, m.SOURCE, line))

    def _source(self, lines: list[str], at: int, again: bool) -> None:
        """A frame of the user's own: *at* is the index of the statement that failed."""
        head = next((index for index in range(at) if lines[index][:1] == " "), at)
        near = max(head + 1, at - _ABOVE)
        noise = lines[head + 1 : near]
        for line in lines[:head]:
            if line:
                self._variable(line, again)
            else:
                noise.append(line)
        reason: list[str] = []
        for index in (head, *range(near, len(lines))) if head < at else range(at, len(lines)):
            line = lines[index]
            first = line[:1]
            if (first == "E" and is_reason(line)) or (reason and first == " "):
                reason.append(line)
            elif first == ">":
                self.marks.append((m.DETAIL if again else m.STATEMENT, m.CODE, line))
            elif not line.strip() or _POINTER.match(line):
                noise.append(line)
            elif first == " ":
                self.marks.append((m.NOISE if again else _worth(index - at, index == head), m.CODE, line))
            else:
                self._variable(line, again)
        self.marks.append((m.NEVER, m.CODE, noise))
        self._reason(reason)

    def _variable(self, line: str, again: bool) -> None:
        """An argument or a local variable; one that is only an object's address says nothing."""
        if not _VARIABLE.match(line):
            self.marks.append((m.NEVER if line.startswith("[gw") else m.FRAME, m.SOURCE, line))
        elif line.count(" = ") == line.count(" at 0x"):
            self.marks.append((m.NEVER, m.CODE, line))
        else:
            self.marks.append((m.NOISE if again else m.REST if self._again(line) else m.CONTEXT, m.CODE, line))

    def _reason(self, lines: list[str]) -> None:
        """The ``E`` lines of one exception; they lose the indent they share, and the blank ones among them."""
        if not lines:
            return
        texts = [line[1:].strip() for line in lines]
        shift = min((line.find(text) for line, text in zip(lines, texts, strict=True) if text and line[0] == "E"), default=4) - 4
        empty: list[str] = []
        for line, text, worth in zip(lines, texts, self._reason_worths(texts), strict=True):
            if not text:
                empty.append(line)
                continue
            noun = m.SOURCE if worth >= m.REASON else m.CODE
            if empty or (shift > 0 and line[0] == "E"):
                short = "E" + line[1 + shift :] if shift > 0 and line[0] == "E" else line
                self.marks.append((worth, noun, Recast(short, [*empty, line])))
                empty = []
            else:
                self.marks.append((worth, noun, line))
        if empty:
            self.marks.append((m.NEVER, m.CODE, empty))

    def _reason_worths(self, texts: Sequence[str]) -> Iterator[int]:
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
                yield m.AGAIN if self._again(text) > 2 else m.REASON
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

    def _loose(self, lines: Sequence[str]) -> None:
        """Lines outside of pytest's own frames: a native traceback, a doctest, the words of a fixture error."""
        library = False
        reason: list[str] = []
        for line in lines:
            if is_reason(line):
                reason.append(line)
                continue
            if reason:
                self._reason(reason)
                reason = []
            path = file_of(line)
            if path:
                library = foreign(path)
                self.marks.append((m.NEVER, m.LIBRARY, line) if library else (m.FRAME, m.SOURCE, line))
            elif not line.strip() or _POINTER.match(line):
                self.marks.append((m.NEVER, m.SOURCE, line))
            elif library and _GROUP.sub("", line, count=1)[:1] in " \t":
                self.marks.append((m.NEVER, m.LIBRARY, line))
            elif line.startswith("Traceback"):
                self.marks.append((m.NEVER, m.CODE, line))
            else:
                library = False
                self.marks.append((_loose_worth(line), m.SOURCE, line))
        self._reason(reason)


def _worth(distance: int, head: bool) -> int:
    """Return what a line of source is worth, *distance* lines below the failing statement."""
    if distance > 0:
        return m.DETAIL if distance <= _DETAIL_LINES else m.REST
    return m.CONTEXT if distance >= -2 else m.EDGE if head else m.REST


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
