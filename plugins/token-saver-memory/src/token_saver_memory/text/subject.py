"""What an observation is about, so that a new value takes the place of the old one."""

from __future__ import annotations

import re

from token_saver_memory.text.words import content_words, is_value, stems, tokens

_QUOTED = re.compile(r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|`[^`]*`|«[^»]*»|„[^“]*“|“[^”]*”")
_PLACEHOLDER = "0"
_FEWEST = 2


def from_words(text: str) -> str | None:
    """Return the subject that *text* names: its words without order, grammar and values; None when fewer than two remain."""
    found = content_words(tokens(_QUOTED.sub(f" {_PLACEHOLDER} ", text)))
    words = sorted(set(stems(word for word in found if not is_value(word))))
    if len(words) < _FEWEST:
        return None
    return " ".join([*words, "#"] if any(map(is_value, found)) else words)


def subject_key(subject: str, symbol: str, file_path: str, title: str, *, titled: bool) -> str | None:
    """Return the key of the subject: as it was named, else of the symbol and the aspect, else of the title.

    *titled* says whether the title alone may name it. None means that nothing can be superseded by this.
    """
    if subject:
        return "named: " + " ".join(tokens(subject))
    aspect = from_words(title)
    if symbol:
        return f"symbol: {file_path}#{symbol} {aspect or ' '.join(tokens(title))}"
    return f"title: {aspect}" if titled and aspect else None
