"""What gives a secret away at first sight: the words and runs that ``mask`` looks for before it reads anything closely."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]
    """Where a secret begins and ends, and what stands in its place."""

MASK = "***"
KEEP = ""
"""The replacement of a span that is allowed to stay, whatever else would mask it."""

SIGNS: tuple[tuple[bytes, tuple[str, ...]], ...] = (
    # a word in lower case, and the modules that read the places where it stands, by the kind of secret they know
    (b"pass", ("named-value",)),
    (b"pwd", ("named-value",)),
    (b"cre", ("named-value", "kubernetes-secret")),
    (b"token", ("named-value",)),
    (b"key", ("named-value", "private-key")),
    (b"auth", ("named-value", "authorization")),
    (b"cookie", ("cookie",)),
    (b"@", ("url-password",)),
    (b"&sig=", ("url-signature",)),
    (b" -p", ("password-option",)),
)
"""In every name that ``names.strength`` takes for a secret's there is one of the first six (``cre``: secret, credential)."""

MARKS = bytes(97 if chr(code) in "_-" or (chr(code).isascii() and chr(code).isalnum()) else 32 for code in range(256))
"""Letters, digits, ``_`` and ``-`` as ``a``, everything else as a space."""
LONG_RUN = b"a" * 20


def words(text: str) -> frozenset[str]:
    """Return the words of *text* as a set."""
    return frozenset(text.split())
