"""Counting tokens: a linear estimate that needs nothing, and exact counts by rs-bpe (extra ``tokenizers``).

The estimate is a sum of weighted counts of what a text is made of. Its weights were fitted by ``scripts/fit_tokens.py`` and
stand in ``tokens_fitted.py`` with their date; the script prints the error on data they were not fitted to. Every counter has
a name that goes into each report: an estimate is neither a model's tokenizer nor a bill.
"""

from __future__ import annotations

from token_saver.errors import InputError
from token_saver.tokens_fitted import FITTED, WEIGHTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LINEAR = f"linear/{FITTED}"
EXACT = ("o200k_base", "cl100k_base")
"""Encodings that ``rs-bpe`` brings; no download is needed."""

_SLICE = 1 << 18
_FREE_LETTERS = 7
_DIGITS_OF_A_TOKEN = 3
_LOWER = b"abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_DIGITS = b"0123456789"


def _shapes() -> bytes:
    """Return the table that maps a letter to a or A, a digit to 0, white space to itself, and all else to a dot."""
    table = bytearray(b"." * 256)
    for kind, shape in ((_LOWER, b"a"), (_UPPER, b"A"), (_DIGITS, b"0"), (b" \r\f\v", b" "), (b"\n", b"\n"), (b"\t", b"\t")):
        for byte in kind:
            table[byte] = shape[0]
    return bytes(table)


def _only(kept: bytes) -> bytes:
    """Return the table that maps the shapes in *kept* to x and all else to a space."""
    return bytes(ord("x") if byte in kept else ord(" ") for byte in range(256))


_SHAPES = _shapes()
_LETTER_RUNS = _only(b"aA")
_DIGIT_RUNS = _only(b"0")
_MARK_RUNS = _only(b".")
_BLANK_RUNS = _only(b" ")


def features(text: str) -> dict[str, int]:
    """Return the counts that the estimate weighs, by the names of ``tokens_fitted.WEIGHTS``; all are linear in *text*."""
    total = dict.fromkeys(WEIGHTS, 0)
    for start in range(0, len(text), _SLICE):
        for name, count in _features(text[start : start + _SLICE]).items():
            total[name] += count
    return total


def linear_estimate(text: str | Mapping[str, int]) -> int:
    """Return about how many tokens a text, or the text that these ``features`` are of, has; 0 for the empty one."""
    counts = features(text) if isinstance(text, str) else text
    estimate = sum(weight * counts[name] for name, weight in WEIGHTS.items())
    return max(1, round(estimate)) if any(counts.values()) else 0


class LinearEstimate:
    """``linear_estimate`` as a tokenizer."""

    name = LINEAR

    def count(self, text: str) -> int:
        """Return the estimate for *text*."""
        return linear_estimate(text)


class ExactCount:
    """The tokens of an encoding in ``EXACT``, counted by rs-bpe."""

    def __init__(self, name: str) -> None:
        """Load the encoding; raises ``InputError`` when it is not known or the extra is not installed."""
        if name not in EXACT:
            raise InputError(f"{name!r} is no encoding that can be counted; these can: {', '.join(EXACT)}")
        try:
            from rs_bpe.bpe import openai
        except ImportError as error:
            raise InputError(f"{name} needs rs-bpe: install token-saver[tokenizers]") from error
        self.name = name
        self._encoding = getattr(openai, name)()

    def count(self, text: str) -> int:
        """Return the number of tokens of *text*; a byte that was no UTF-8 counts as a question mark."""
        return int(self._encoding.count(text.encode("utf-8", "replace").decode("utf-8")))


def _features(text: str) -> dict[str, int]:
    raw = text.encode("ascii", "replace")
    wide = raw.count(b"?") - text.count("?")
    shapes = (raw if not wide else text.encode("ascii", "ignore")).translate(_SHAPES)
    words = shapes.translate(_LETTER_RUNS).split()
    numbers = shapes.translate(_DIGIT_RUNS).split()
    return {
        "words": len(words),
        "letters past seven": sum(len(word) - _FREE_LETTERS for word in words if len(word) > _FREE_LETTERS),
        "humps": shapes.count(b"aA"),
        "capitals": shapes.count(b"A"),
        "digit groups": sum(-(-len(number) // _DIGITS_OF_A_TOKEN) for number in numbers),
        "letters beside digits": shapes.count(b"a0") + shapes.count(b"0a"),
        "punctuation": shapes.count(b"."),
        "punctuation runs": len(shapes.translate(_MARK_RUNS).split()),
        "newlines": shapes.count(b"\n"),
        "blank runs": sum(len(run) > 1 for run in shapes.translate(_BLANK_RUNS).split()),
        "tabs": shapes.count(b"\t"),
        "non-ascii": wide,
    }
