"""The one grammar in which Token-Saver says what it left out.

=============================  =====================================================================
``[… 12 passing tests]``       a line of its own where 12 lines stood; several nouns are joined by ``, ``
``[… 3 files: a.py, b.py]``    names after a colon say which
``start …[+840 chars]… end``   inside a line: 840 characters stood there
``"[… 9 similar items: a]"``   a string of a JSON document, which still parses
``# [… 9 similar items: a]``   a comment of a YAML document, ``<!-- [… 9 similar elements] -->`` one of an XML document
``[… 9 lines in full: CMD]``   the last line of a result that leaves something out: what prints all 9 lines
=============================  =====================================================================

Nothing else in the project spells a marker; whoever counts or recognises omissions asks this module.
"""

from __future__ import annotations

from token_saver.text.critical import failure_words
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OPEN = "[… "
_LINE = rx(r"\s*(?:# |<!-- )?\[… \d+ [^\n]*\](?: -->)?\s*$")
_INSIDE = rx(r"…\[\+\d+ chars\]…|\"\[… \d")
_TAIL = rx(r" (?:of|with|without|in|from|at|on|to|for|by|like|over|under|below|above|that|already|not|brought|more|left) ?\b")
_ESES = ("s", "x", "z", "ch", "sh")


def plural(count: int, noun: str) -> str:
    """Return *noun* in the number that *count* asks for: ``plural(2, "line of banner")`` is ``lines of banner``.

    The head of the noun takes the ending: what stands before the first preposition.
    """
    if count == 1:
        return noun
    found = _TAIL.search(noun)
    head, rest = (noun[: found.start()], noun[found.start() :]) if found else (noun, "")
    if head.endswith(_ESES):
        head += "es"
    elif head.endswith("y") and head[-2:-1] not in "aeiou":
        head = head[:-1] + "ies"
    else:
        head += "s"
    return head + rest


def marker(counts: Iterable[tuple[int, str, str]]) -> str:
    """Return the marker line for (count, noun, names) triples; *names* may be empty."""
    parts = [f"{count} {plural(count, noun)}{': ' if names else ''}{names}" for count, noun, names in counts]
    return OPEN + ", ".join(parts) + "]"


def is_marker(line: str) -> bool:
    """Tell whether *line* is a marker line."""
    return OPEN in line and _LINE.match(line) is not None


def has_marker(text: str) -> bool:
    """Tell whether *text* holds a marker of any form, so that it was shortened before."""
    if OPEN in text and any(is_marker(line) for line in text.split("\n") if OPEN in line):
        return True
    return ("…[+" in text or '"[… ' in text) and _INSIDE.search(text) is not None


def cut(line: str, head: int, tail: int, *, failures: bool = True) -> str:
    """Return *line* with its middle replaced by a marker when that makes it shorter.

    A word of failure in the middle keeps what stands around it, the first and the last of them; without *failures* the
    caller has looked for them.
    """
    end = len(line) - tail
    if end - head <= _LEAST:
        return line
    parts = [line[:head]]
    done = head
    for start, stop in _failures(line, head, end) if failures else ():
        if start > done:
            parts.append(_gap(start - done) if start - done > _LEAST else line[done:start])
        parts.append(line[max(done, start) : stop])
        done = max(done, stop)
    parts.append(_gap(end - done) if end - done > _LEAST else line[done:end])
    parts.append(line[end:])
    return "".join(parts)


_LEAST = 40
"""A gap of fewer characters is not worth its marker."""
_AROUND = 80


def _gap(chars: int) -> str:
    return f" …[+{chars} chars]… "


def _failures(line: str, head: int, end: int) -> list[tuple[int, int]]:
    """Return the places around the first and the last word of failure between *head* and *end*."""
    found = failure_words(line[head:end])
    return [(max(head, head + at - _AROUND), min(end, head + at + _AROUND)) for at in found]
