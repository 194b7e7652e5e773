"""When two texts say the same: by hashes alone, so that what was forgotten is known again without being kept.

A text is split into values (numbers, versions, paths, identifiers) and words (stemmed, without grammar), and one bit says
whether it denies. Near are two texts with equal values, equal denial and at least 60 of 100 words in common. Short notes
need this: three-word shingles lose most of them with one word changed.
"""

from __future__ import annotations

from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.text.words import content_words, denies, is_value, stems, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

NEAR = 0.6
_WIDTH = 8


class Signature(NamedTuple):
    """Hashes of a text: of all of it in order, of its values, of each of its words; and whether it denies."""

    text_hash: str
    values_hash: str
    negated: bool
    words: frozenset[bytes]

    @property
    def packed(self) -> bytes:
        """The hashes of the words in one piece."""
        return b"".join(sorted(self.words))


def signature(*texts: str) -> Signature:
    """Return the signature of the texts taken as one."""
    found = tokens(" ".join(texts))
    values = sorted({token for token in found if is_value(token)})
    words = stems({word for word in content_words(found) if not is_value(word)})
    return Signature(
        sha256(" ".join(found).encode()).hexdigest()[:32],
        sha256(" ".join(values).encode()).hexdigest()[:32],
        denies(found),
        frozenset(blake2b(word.encode(), digest_size=_WIDTH).digest() for word in words),
    )


def unpacked(words: bytes) -> frozenset[bytes]:
    """Return the hashes that ``Signature.packed`` put together."""
    return frozenset(words[start : start + _WIDTH] for start in range(0, len(words), _WIDTH))


def likeness(left: Iterable[bytes], right: Iterable[bytes]) -> float:
    """Return the share of the words that both have (Jaccard); 1 when neither has any."""
    one, other = frozenset(left), frozenset(right)
    return len(one & other) / len(one | other) if one or other else 1.0


def near(left: Signature, right: Signature) -> bool:
    """Tell whether two texts say about the same."""
    return left.values_hash == right.values_hash and left.negated == right.negated and likeness(left.words, right.words) >= NEAR


def equal(left: Signature, right: Signature) -> bool:
    """Tell whether two texts say the same in other order, case and grammar."""
    return left[1:] == right[1:]
