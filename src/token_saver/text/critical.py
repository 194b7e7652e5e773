"""Lines that an agent acts on whatever printed them: errors, failures, refusals, exits.

``is_report`` knows the shape of a report ("error: …", "E   assert …", "Traceback …"); ``is_critical`` also takes a bare word.
Both are told apart because a match of a search, a line of a diff or the name of a passing test may hold any word.
"""

from __future__ import annotations

from token_saver.text.rx import rx
from token_saver.text.stems import matching_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = rx(
    r"(?m)\b(?:errors?|err!|failed|failures?|fails?|fatal|panic(?:ked)?|exceptions?|traceback|assert(?:ion)?s?(?:ion)?error|"
    r"assertion|denied|refused|rejected|timed out|timeout|abort(?:ed|ing)?|killed|crash(?:ed)?|cannot|could not|"
    r"can't|unable to|no such|not found|undefined|unresolved|conflicts?|segmentation|core dumped|out of memory|oom|"
    r"corrupt(?:ed)?|unreachable|missing|invalid|unexpected|unhealthy|terminated)\b|\w(?:error|exception)\b|^e   +\S"
)
_STEMS = (
    "error", "err!", "fail", "fatal", "panic", "exception", "traceback", "assertion", "denied", "refused", "rejected",
    "timed out", "timeout", "abort", "killed", "crash", "cannot", "could not", "can't", "unable to", "no such", "not found",
    "undefined", "unresolved", "conflict", "segmentation", "core dumped", "out of memory", "oom", "corrupt", "unreachable",
    "missing", "invalid", "unexpected", "unhealthy", "terminated", "e   ",
)  # fmt: skip
_REPORT = rx(
    r"\s*(?:\[?[\d:.,TZ+/-]{6,30}\]?\s+)*(?:[\w.-]{1,30}: )?\W{0,4}(?:errors?|err!|fatal|failed|failures?|fail|panic|exception|"
    r"traceback|critical|assertionerror|abort(?:ed)?|killed|segmentation fault|undefined reference|conflict)\b(?!\w)"
    r"|\s*(?:\w+\.)*\w*(?:error|exception)\b(?::|$)|e  +\S|\s*!|\s*✖|\s*✗|\s*✘|\s*×"
    r"|.{0,200}: (?:fatal )?error\b|.{0,200}(?:permission denied|no such file or directory|command not found|"
    r"connection refused|timed out)"
)
_FINE = rx(
    r"\bpassed\b|\bok$|\bok \(|[✓✔]|\b0 (?:errors?|failures?|failed|conflicts?|missing)\b|"
    r"\bno (?:errors?|failures|conflicts)\b|"
    r"\b(?:errors?|failures?|failed|fail|skipped): ?0\b|\b(?:errors?|failures?|failed|fail) 0\b"
)
_FINE_STEMS = (
    "passed", "ok", "✓", "✔", "0 error", "0 fail", "0 conflict", "0 missing", "no error", "no failure", "no conflict", ":0",
    ": 0", "s 0", "r 0", "e 0", "d 0", "l 0",
)  # fmt: skip
_LOOKED_AT = 2000
"""Characters of a line that are read for a word that takes the failure back."""


def critical_lines(lines: Sequence[str]) -> list[int]:
    """Return the indexes of the lines that hold a word of failure and do not say that there was none."""
    hits = matching_lines(lines, _STEMS, _WORDS)
    fine = set(matching_lines([lines[index][:_LOOKED_AT] for index in hits], _FINE_STEMS, _FINE))
    return [index for position, index in enumerate(hits) if position not in fine]


def is_critical(line: str) -> bool:
    """Tell whether one line holds a word of failure and does not say that there was none."""
    low = line[:_LOOKED_AT].lower()
    return _WORDS.search(low) is not None and _FINE.search(low) is None


def failure_words(text: str) -> list[int]:
    """Return where the first and the last word of failure stand in *text*; nothing when there is none."""
    low = text.lower()
    at = [found.start() for found in _WORDS.finditer(low if len(low) == len(text) else text)]
    return [at[0], at[-1]] if len(at) > 1 else at


def is_report(line: str) -> bool:
    """Tell whether one line has the shape of an error report and does not say that there was none."""
    low = line[:_LOOKED_AT].lower()
    return _REPORT.match(low) is not None and _FINE.search(low) is None
