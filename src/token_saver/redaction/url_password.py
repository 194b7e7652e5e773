"""Passwords in URLs: ``scheme://user:password@host`` (RFC 3986 section 3.2.1)."""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.redaction.values import ANY, GENERATED, is_example, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.redaction.signs import Span

_LONGEST = 400
_USER_AND_PASSWORD = rx(r"[^\s/:@\"'<>]{0,200}+:(?P<password>[^\s/\"'<>]{3,400})@")
"""A password that holds an ``@`` itself ends at the last one before the path."""
_TOKEN = rx(r"[\w.-]{20,400}+(?=@)")


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterable[Span]:
    """Return the span of the password in the URL whose user part ends with the ``@`` at *hit*."""
    scheme = folded.rfind(b"://", max(0, hit - _LONGEST), hit)
    if scheme < 0:
        return ()
    found = _USER_AND_PASSWORD.match(text, scheme + 3)
    if found is not None:
        password = found["password"]
        return ((*found.span("password"), MASK),) if is_secret(password, ANY) and not is_example(password) else ()
    found = _TOKEN.match(text, scheme + 3)
    return ((*found.span(), MASK),) if found is not None and is_secret(found[0], GENERATED) else ()
