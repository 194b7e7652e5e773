"""black and isort."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._linter import listed
from token_saver.text import Rules, allowance, group, sieve
from token_saver.text.diffs import squeeze_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_WORDS = ("would reformat ", "reformatted ", "Fixing ", "unchanged ", "ERROR: ")
_UNSORTED = " Imports are incorrectly sorted and/or formatted."
_QUIET = Rules({r".* already well formatted, good job\.$|.* wasn't modified on disk since last run\.$": "unchanged file"})


class BlackProcessor(Family):
    """Each file that would change or cannot be parsed, and the tool's own totals; a diff is kept, a long list named shorter."""

    name = "black"
    priority = 27
    commands = ("black", "isort")

    def read(self, capture: Capture) -> Iterable[Piece]:
        if any(line.startswith(("@@ ", "--- ")) for line in capture.lines):
            return squeeze_diff(capture.lines, allowance(len(capture.text)))
        return _files(capture.lines)


def _files(lines: list[str]) -> Iterator[Piece]:
    """The names behind one word come together, where the first of them stood."""
    kinds = group(lines, _word)
    seen: set[str] = set()
    for line in lines:
        word = _word(line)
        if not word:
            yield from sieve([line], _QUIET)
        elif word not in seen:
            seen.add(word)
            yield from listed(kinds[word], "more file", word, _UNSORTED)


def _word(line: str) -> str:
    word = next((word for word in _WORDS if line.startswith(word)), "")
    return "" if word == "ERROR: " and not line.endswith(_UNSORTED) else word
