"""Verdicts: no line of a result may claim a success that the capture does not state."""

from __future__ import annotations

from token_saver.text.critical import critical_lines
from token_saver.text.markers import is_marker
from token_saver.text.rx import rx
from token_saver.text.terminal import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_SUCCESS = rx(
    r"\b(?:no (?:errors?|issues?|problems?|warnings?|failures?|changes)|0 (?:errors?|failures?|failed|problems?|issues)|"
    r"up[ -]to[ -]date|success(?:ful(?:ly)?)?|succeeded|passed|all (?:checks|tests|good|ok)|clean|build ok|completed|done|ok)\b"
)


def unfounded(result: Iterable[str], capture: str) -> str | None:
    """Return the first line of *result* with a word of success that stands in no line of *capture*.

    A line that the capture holds (blanks aside) is the tool's own word; a marker counts lines that were read.
    """
    known: set[str] | None = None
    low = ""
    for line in result:
        found = _SUCCESS.search(line.lower())
        if found is None or is_marker(line):
            continue
        if known is None:
            capture, _ = plain(capture)  # colours may stand between a number and its word
            known = {"".join(each.split()) for each in capture.split("\n")}
            low = capture.lower()
        if "".join(line.split()) not in known and found.group() not in low:
            return line
    return None


def reads_as_success(result: str, capture: str) -> bool:
    """Tell whether *result*, of a failed run, reads as a success: it claims one, or names none of the failures of *capture*."""
    lines = result.split("\n")
    if unfounded(lines, capture) is not None:
        return True
    return bool(critical_lines(capture.split("\n"))) and not critical_lines(lines)
