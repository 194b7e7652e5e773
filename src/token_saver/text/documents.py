"""JSON documents made smaller while they stay documents.

``reduce_json`` first writes a document without its padding. When that is not small enough, detail goes step by step, and
each loss is told inside the document in the one grammar of markers, as an element, a key or a part of a string:

=========================================================  =================================================================
``"[… 120 similar items: web-1, web-2, …]"``               elements of an array that are like the ones shown
``"[… 57 items of these keys only: name, status]"``        the objects behind it show their identity, other keys are left out
``"[… 80 similar entries]": "a, b, …"``                    entries of an object that is a map from names to alike values
``"spec": "[… 4 keys: containers, volumes, …]"``           a value nested too deep to be shown
``"Traceback … …[+840 chars]… ValueError"``                the middle of a long text; identifiers are never cut
=========================================================  =================================================================

Items that differ from their neighbours (a rare status, a word of failure, keys that others lack) are shown before alike
ones. Numbers stay as they were written, duplicate keys stay, characters stay as they were (escaped or not).
"""

from __future__ import annotations

from token_saver.text.document_values import Literal, Pairs
from token_saver.text.document_writer import ALL, STEPS, FullError, Style, Writer
from token_saver.text.folders import allowance
from token_saver.text.pieces import Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from token_saver.text.document_values import Value
    from token_saver.text.likeness import Likeness
    from token_saver.text.pieces import Piece

_OPENING = rx(r'\s*(?:[\[{]\s*$|\{\s*["}]|\[\s*(?:[\[{\]"]|(?:-?\d[\d.eE+-]*|true|false|null)\s*[,\]]))')
OURS = 40_000
_SHORTENED = rx(r'"\[… \d|…\[\+\d+ chars\]…')


def reduce_json(text: str, budget: int) -> str | None:
    """Return the JSON document *text* in about *budget* characters; it parses, and says what it leaves out.

    None when *text* is no JSON document, when it was shortened before, or when nothing can be gained.
    """
    read = parse(text.strip())
    if read is None:
        return None
    return _fitting(text, budget, lambda writer: writer.value(read[0], 0))


def reduce_ndjson(text: str, budget: int) -> str | None:
    """Return *text*, a JSON document a line, in about *budget* characters: every line parses, alike ones are counted in a line.

    None when a line is no JSON document, when *text* was shortened before, or when nothing can be gained.
    """
    values: list[Value] = []
    for line in text.split("\n"):
        if line.strip():
            read = parse(line.strip())
            if read is None:
                return None
            values.append(read[0])
    return _fitting(text, budget, lambda writer: writer.lines(values)) if len(values) > 1 else None


def document(lines: Sequence[str], budget: int | None = None) -> list[Piece] | None:
    """Read lines that hold one JSON document, or one a line, with plain lines before and after it.

    The document is told in *budget* characters (default: the allowance for its size), the plain lines are kept. None when
    there is no document; the lines themselves when it cannot be told in fewer words.
    """
    start, end = _extent(lines)
    if start is None:
        return None
    body = "\n".join(lines[start:end])
    room = allowance(len(body)) if budget is None else budget
    made = reduce_json(body, room)
    if made is None and parse(body.strip()) is None:
        made = reduce_ndjson(body, room)
        if made is None and not _is_ndjson(lines[start:end]):
            return None
    told: list[Piece] = list(lines[start:end]) if made is None else [Recast(made, lines[start:end])]
    return [*lines[:start], *told, *lines[end:]]


def parse(text: str) -> tuple[Value] | None:
    """Return the value of the JSON document *text* in a tuple; None when it is none or is nested too deep to be read."""
    if text[:1] not in ("{", "["):
        return None
    import json

    decoder = json.JSONDecoder(object_pairs_hook=Pairs, parse_float=Literal, parse_int=Literal, parse_constant=Literal)
    try:
        return (decoder.decode(text),)
    except (ValueError, RecursionError):
        return None


def _extent(lines: Sequence[str]) -> tuple[int | None, int]:
    """Return where the document starts and ends: from the first line that opens one to the last that closes one."""
    start = next((index for index, line in enumerate(lines) if line.lstrip()[:1] in ("{", "[") and _OPENING.match(line)), None)
    if start is None:
        return None, 0
    end = len(lines)
    while end > start and lines[end - 1].rstrip()[-1:] not in ("}", "]"):
        end -= 1
    return (start, end) if end > start else (None, 0)


def _is_ndjson(lines: Sequence[str]) -> bool:
    return all(parse(line.strip()) is not None for line in lines if line.strip())


def _fitting(text: str, budget: int, write: Callable[[Writer], str]) -> str | None:
    """Write with the first step of detail that fits in *budget*, at worst with the last one."""
    if _SHORTENED.search(text):
        return None
    style = Style(text)
    found: dict[int, Likeness] = {}

    def attempt(step: int, room: int) -> str | None:
        try:
            made = write(Writer(style, STEPS[step], room, found))
        except FullError:
            return None
        return made if len(made) <= room else None

    made = attempt(0, ALL if len(text) <= max(budget, OURS) else budget)
    if made == text.strip() and style.many_lines:
        return None  # written by us: what was whole once stays whole
    if made is not None and len(made) > budget and len(text) > budget:
        made = None
    first, last = 1, len(STEPS) - 1
    while made is None and first < last:
        middle = (first + last) // 2
        if attempt(middle, budget) is None:
            first = middle + 1
        else:
            last = middle
    if made is None:
        made = attempt(last, ALL) or text
    return made if len(made) < len(text) else None
