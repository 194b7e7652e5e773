"""Weights of the linear estimate of tokens, written by ``scripts/fit_tokens.py``."""

from __future__ import annotations

FITTED = "2026-12-01"
ENCODING = "o200k_base"
WEIGHTS = {
    "words": 1.065,
    "letters past seven": 0.075,
    "humps": 0.61,
    "capitals": 0.076,
    "digit groups": 1.505,
    "letters beside digits": 0.052,
    "punctuation": 0.047,
    "punctuation runs": 0.634,
    "newlines": 0.525,
    "blank runs": 1.504,
    "tabs": 0.448,
    "non-ascii": 0.562,
}
