"""Values in the HTTP headers ``Cookie`` and ``Set-Cookie`` (RFC 6265)."""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.redaction.values import is_example, is_reference
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.redaction.signs import Span

_HEADER = rx(r"(?i)cookie2?\\{0,3}[\"']?[ \t]{0,4}:[ \t]{0,4}\\{0,3}[\"'\[]{0,2}")
_PAIR = rx(r"(?P<name>[\w!#$%&*+.^|~-]{1,80}+)(?:=(?P<value>[^;,\s\"'`(){}]{0,4096}+))?(?:[;,][ \t]*+)?")
_ATTRIBUTES = frozenset({"path", "domain", "expires", "max-age", "samesite", "version", "comment", "priority"})
_SESSION = rx(r"(?i)sess|sid\b|auth|token|csrf|xsrf|jwt|login|remember|identity")


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterator[Span]:
    """Yield the spans of the values in the header whose name has ``cookie`` at *hit*."""
    header = _HEADER.match(text, hit)
    position = -1 if header is None else header.end()
    while position >= 0 and (pair := _PAIR.match(text, position)) is not None:
        position = pair.end()
        value = pair["value"]
        if value and _is_session(pair["name"], value):
            yield *pair.span("value"), MASK


def _is_session(name: str, value: str) -> bool:
    if name.lower() in _ATTRIBUTES or is_reference(value) or is_example(value):
        return False
    return len(value) >= 16 or _SESSION.search(name) is not None
