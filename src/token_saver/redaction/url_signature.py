"""Signatures in the queries of URLs: ``sig=`` of shared access signatures."""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.redaction.signs import Span

_SIGNATURE = rx(r"[A-Za-z\d%+/_-]{20,400}=*")


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterable[Span]:
    """Return the span of the signature after the ``&sig=`` at *hit*."""
    found = _SIGNATURE.match(text, hit + 5)
    return () if found is None else ((*found.span(), MASK),)
