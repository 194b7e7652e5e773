"""What a prompt says about memory: that something was told before, or that something is to be kept.

The phrases are data (``phrases.toml``); only those are compiled of which a piece occurs in the text.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_QUOTED = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>.*$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_QUESTION = ("?", "？")
_LEAST, _MOST = 8, 300
"""Characters of a sentence that is worth keeping."""
_MOST_TEXT = 20_000


class Wish(NamedTuple):
    """A sentence that the user wants kept, and as what."""

    type: str
    text: str


@cache
def _table() -> Mapping[str, Any]:
    # importlib.resources would cost a hook more than the whole file.
    with open(os.path.join(os.path.dirname(__file__), "phrases.toml"), "rb") as file:
        return tomllib.load(file)


def languages() -> set[str]:
    """Return the languages in which a miss is understood."""
    return {row["language"] for row in _table()["miss"]}


def is_miss(text: str) -> bool:
    """Say whether the user had to repeat what was told before."""
    return any(_told(sentence.lower()) for sentence in _sentences(text))


def _told(sentence: str) -> bool:
    found = any(row["near"] in sentence and re.search(row["pattern"], sentence) for row in _table()["miss"])
    return found and not re.search(_table()["not_with"], sentence)


def wishes(text: str) -> Iterator[Wish]:
    """Yield what the user wants kept, in the user's own words."""
    for sentence in _sentences(text):
        if not _LEAST <= len(sentence) <= _MOST or sentence.endswith(_QUESTION):
            continue
        lowered = sentence.lower()
        for row in _table()["keep"]:
            if row["near"] in lowered and (found := re.match(row["pattern"], sentence, re.IGNORECASE)):
                yield Wish(row["type"], found["what"].strip().rstrip("."))
                break


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences that the user wrote: what is quoted or code is not theirs."""
    plain = _QUOTED.sub("\n", normalize("NFKC", text[:_MOST_TEXT]).replace("’", "'"))
    return (sentence.strip() for sentence in _SENTENCE.split(plain) if sentence and sentence.strip())
