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

ALONE: dict[bytes, tuple[bytes, ...]] = {b"auth": (b"or:", b"or ", b"ors", b"ored")}
"""What follows a sign where it is part of a plain word, of which every commit has one."""
NEEDS: dict[bytes, bytes] = {b"@": b"://"}
"""What else must be in a text for a sign to mean anything: an address has the one, a URL with a password both."""

MARKS = bytes(97 if chr(code) in "_-" or (chr(code).isascii() and chr(code).isalnum()) else 32 for code in range(256))
"""Letters, digits, ``_`` and ``-`` as ``a``, everything else as a space."""
LONG_RUN = b"a" * 20
HASHES = (40, 64)
"""Lengths of a run of hexadecimal digits that names a commit where it begins a line or follows one of ``BEFORE_HASH``."""
BEFORE_HASH = (b"commit ", b"merge ", b"parent ", b"tree ")
HEX_DIGITS = b"0123456789abcdef"


def words(text: str) -> frozenset[str]:
    """Return the words of *text* as a set."""
    return frozenset(text.split())
