"""Credentials in the HTTP header ``Authorization`` (RFC 9110 section 11.6.2), as text or as a string of a program."""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.redaction.values import GENERATED, UNUSUAL, is_reference, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.redaction.signs import Span

_HEADER = rx(
    r"""(?xi)
    authorization\\{0,3}["']?\]?[ \t]{0,4}(?:=>|[:=,])[ \t]{0,4}(?:[bfru]?\\{0,3}["'`])?
    (?:(?P<scheme>basic|bearer|token|bot|apikey|negotiate|ntlm|aws4-hmac-sha256|digest|oauth|hawk|mac|sso-key)[ \t]{1,4})?
    """
)
_LISTS = frozenset({"aws4-hmac-sha256", "digest", "oauth", "hawk", "mac"})
"""Schemes whose credentials are a list of parameters, some of them in quotes."""
_TOKEN = rx(r"[\w.~+/:=-]{4,10000}+")
_LIST = rx(r"[^\r\n]{8,4000}")


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterable[Span]:
    """Return the span of the credentials in the header whose name has ``auth`` at *hit*."""
    if not folded.startswith(b"authorization", hit) or folded[hit - 1 : hit].isalpha():
        return ()
    opening = _HEADER.match(text, hit)
    if opening is None:
        return ()
    scheme = (opening["scheme"] or "").lower()
    found = (_LIST if scheme in _LISTS else _TOKEN).match(text, opening.end())
    if found is None:
        return ()
    if scheme in _LISTS:
        secret = "=" in found[0] and not is_reference(found[0])
    else:
        secret = is_secret(found[0], UNUSUAL if scheme else GENERATED)
    return ((*found.span(), MASK),) if secret else ()
