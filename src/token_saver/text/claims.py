"""Verdicts: no line of a result may claim a success that the capture does not state."""

from __future__ import annotations

from token_saver.text.critical import critical_lines
from token_saver.text.markers import is_marker
from token_saver.text.rx import rx
from token_saver.text.stems import matching_lines
from token_saver.text.terminal import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SUCCESS = rx(
    r"\b(?:no (?:errors?|issues?|problems?|warnings?|failures?|changes)|0 (?:errors?|failures?|failed|problems?|issues)|"
    r"up[ -]to[ -]date|success(?:ful(?:ly)?)?|succeeded|passed|all (?:checks|tests|good|ok)|clean|build ok|completed|done|ok)\b"
)
_STEMS = (
    "no error", "no issue", "no problem", "no warning", "no failure", "no change", "0 error", "0 fail", "0 problem", "0 issue",
    "to date", "to-date", "success", "succeeded", "passed", "all checks", "all tests", "all good", "all ok", "clean", "build ok",
    "completed", "done", "ok",
)  # fmt: skip


def unfounded(result: Sequence[str], capture: str) -> str | None:
    """Return the first line of *result* with a word of success that stands in no line of *capture*.

    A line that the capture holds (blanks aside) is the tool's own word; a marker counts lines that were read.
    """
    claims = [result[index] for index in matching_lines(result, _STEMS, _SUCCESS)]
    if claims:
        stated = set(capture.split("\n"))
        claims = [line for line in claims if line not in stated and not is_marker(line)]
    if not claims:
        return None
    capture, _ = plain(capture)  # colours may stand between a number and its word
    known = {"".join(each.split()) for each in capture.split("\n")}
    low = capture.lower()
    return next((line for line in claims if "".join(line.split()) not in known and not _is_stated(line, low)), None)


def _is_stated(line: str, low: str) -> bool:
    found = _SUCCESS.search(line.lower())
    return found is not None and found.group() in low


def reads_as_success(result: str, capture: str) -> bool:
    """Tell whether *result*, of a failed run, reads as a success: it claims one, or names none of the failures of *capture*."""
    lines = result.split("\n")
    if unfounded(lines, capture) is not None:
        return True
    return bool(critical_lines(capture.split("\n"))) and not critical_lines(lines)
