"""Claims that something cannot be done, which are believed long after they stopped to be so."""

from __future__ import annotations

import re

_CLAIM = re.compile(
    r"\b(?:un(?:supported|available)|impossible|not (?:supported|available|possible|implemented)|(?:can ?not|can't|cannot) be |"
    r"(?:does|do|did)(?: not|n't) (?:work|support|exist)|is(?: not|n't) (?:working|reachable)|is (?:blocked|broken|down)|"
    r"nicht (?:unterstützt|verfügbar|möglich)|funktioniert nicht|unmöglich|geht nicht|"
    r"pas (?:supporté|disponible|possible)|ne (?:marche|fonctionne) pas|no (?:funciona|soportado|disponible))",
    re.IGNORECASE,
)


def denies_capability(text: str) -> bool:
    """Tell whether *text* claims that something does not work, is not supported, or cannot be done."""
    return _CLAIM.search(text) is not None
