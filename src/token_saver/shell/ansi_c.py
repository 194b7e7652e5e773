"""The value of ``$'…'``, as bash's manual (ANSI-C Quoting) defines it."""

from __future__ import annotations

_SIMPLE = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_DIGITS = {"x": (16, 2), "u": (16, 4), "U": (16, 8)}


def decode(raw: str) -> str:
    """Return what ``$'…'`` (*raw*, quotes included) stands for."""
    body = raw[2:-1]
    parts: list[str] = []
    at = 0
    while at < len(body):
        if body[at] != "\\" or at + 1 == len(body):
            parts.append(body[at])
            at += 1
            continue
        text, at = _escape(body, at + 1)
        parts.append(text)
    return "".join(parts)


def _escape(body: str, at: int) -> tuple[str, int]:
    char = body[at]
    if char in _SIMPLE:
        return _SIMPLE[char], at + 1
    if char in "01234567":
        return _number(body, at, 8, 3, "\\")
    if char in _DIGITS:
        base, most = _DIGITS[char]
        return _number(body, at + 1, base, most, "\\" + char)
    if char == "c" and at + 1 < len(body):
        return chr(ord(body[at + 1]) & 0x1F), at + 2
    return "\\" + char, at + 1


def _number(body: str, at: int, base: int, most: int, otherwise: str) -> tuple[str, int]:
    allowed = "0123456789abcdefABCDEF" if base == 16 else "01234567"
    end = at
    while end < len(body) and end < at + most and body[end] in allowed:
        end += 1
    if end == at:
        return otherwise, at
    value = int(body[at:end], base)
    return (chr(value) if value < 0x110000 else ""), end
