"""Where the elements of a JSON document stand in its text, so that each can be quoted as it was printed."""

from __future__ import annotations

from json import JSONDecoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_BLANK = " \t\r\n"
_decode = JSONDecoder().raw_decode


def elements(text: str, start: int) -> Iterator[tuple[Any, int, int]]:
    """Yield (value, start, end) of each element of the array that opens at *start*. Raises ValueError where it is broken."""
    at = _skip(text, start + 1)
    while text[at : at + 1] != "]":
        value, end = _decode(text, at)
        yield value, at, end
        at = _following(text, end, "]")


def members(text: str, start: int) -> Iterator[tuple[str, int, int]]:
    """Yield (key, start, end) of each value of the object that opens at *start*. Raises ValueError where it is broken."""
    at = _skip(text, start + 1)
    while text[at : at + 1] != "}":
        key, end = _decode(text, at)
        at = _skip(text, _skip(text, end) + 1)
        _, end = _decode(text, at)
        yield str(key), at, end
        at = _following(text, end, "}")


def without(text: str, spans: list[tuple[int, int]]) -> str:
    """Return *text* without *spans*, which are in order."""
    rest: list[str] = []
    at = 0
    for start, end in spans:
        rest.append(text[at:start])
        at = end
    return "".join([*rest, text[at:]])


def _following(text: str, end: int, close: str) -> int:
    at = _skip(text, end)
    if text[at : at + 1] == ",":
        return _skip(text, at + 1)
    if text[at : at + 1] != close:
        raise ValueError("neither a comma nor the end")
    return at


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] in _BLANK and at < len(text):
        at += 1
    return at
