"""Private keys in PEM (RFC 7468) and PGP armour: the two lines around the key stay, the key goes.

The lines may carry a prefix (a diff, an indented document) or stand on one line with ``\\n`` between them, and either end
may be missing from the output.
"""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.redaction.signs import Span

_MARK = rx(r"-----(?P<side>BEGIN|END)[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BREAKS = rx(r"(?:\\[rn]|[\s\"'+,>|])*+")
_BREAKS_AT_END = rx(r"(?:\\[rn]|[\s\"'+,>|])+\Z")
_BASE64 = rx(r"[A-Za-z\d+/=]{16}")
_ONLY_BASE64 = rx(r"[ +\-|>\t]*(?P<data>[A-Za-z\d+/=]{16,})\s*\Z")
_LONGEST = 20_000


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterable[Span]:
    """Return the span of the private key whose first or last line has ``key`` at *hit*."""
    if folded[hit - 8 : hit] != b"private ":
        return ()
    mark = _MARK.search(text, max(0, hit - 64), hit + 14)
    if mark is None:
        return ()
    span = _after(text, mark.end()) if mark["side"] == "BEGIN" else _before(text, mark.start())
    return () if span is None else (span,)


def _after(text: str, start: int) -> Span | None:
    """Return the span of the key after its first line, up to the last line or as far as there is key."""
    limit = min(len(text), start + _LONGEST)
    start = _BREAKS.match(text, start, limit).end()  # type: ignore[union-attr]
    end = text.find("-----", start, limit)
    if end < 0 or not text.startswith("-----END", end):
        return _lines(text, start, limit if end < 0 else end)
    breaks = _BREAKS_AT_END.search(text, max(start, end - 40), end)
    end = end if breaks is None else breaks.start()
    return (start, end, MASK) if _BASE64.search(text, start, end) else None


def _lines(text: str, start: int, limit: int) -> Span | None:
    end = start
    while end < limit:
        line_end = text.find("\n", end, limit)
        line_end = limit if line_end < 0 else line_end
        if not _ONLY_BASE64.match(text, end, line_end):
            break
        end = line_end + 1
    end = min(end, limit)
    while end > start and text[end - 1] in "\r\n":
        end -= 1
    return (start, end, MASK) if end > start else None


def _before(text: str, stop: int) -> Span | None:
    """Return the span of the key before its last line when the first line is missing."""
    end = start = text.rfind("\n", 0, stop)
    end -= text[end - 1 : end] == "\r"
    while start > 0 and stop - start < _LONGEST:
        line = text.rfind("\n", 0, start) + 1
        if not _ONLY_BASE64.match(text, line, start):
            break
        start = line - 1
    first = _ONLY_BASE64.match(text, start + 1, end) if start < end else None
    first = first or (_ONLY_BASE64.match(text, start + 1, text.find("\n", start + 1)) if start < end else None)
    return None if first is None else (first.start("data"), end, MASK)
