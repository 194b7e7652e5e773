"""Words out of names and text: what a search is over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_a-zA-Z]+")
_LONGEST = 30
_MOST_WORDS = 400


def words_of(text: str) -> list[str]:
    """Return the words of *text* in lower case: ``parse_HTTPHeader2`` gives ``parse``, ``http`` and ``header``."""
    return [word.lower() for word in _PIECE.findall(_camel(text)) if 1 < len(word) <= _LONGEST]


_CAMEL = re.compile(r"([A-Z]+)([A-Z][a-z])")


def _camel(text: str) -> str:
    return _CAMEL.sub(r"\1 \2", text)


def distinct(words: Iterable[str], known: Iterable[str] = ()) -> str:
    """Return the first distinct *words* that are not *known*, with blanks between them."""
    seen = dict.fromkeys(words)
    for word in known:
        seen.pop(word, None)
    return " ".join(list(seen)[:_MOST_WORDS])
