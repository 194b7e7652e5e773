"""Lines that an agent acts on whatever printed them: errors, failures, refusals, exits.

``is_report`` knows the shape of a report ("error: …", "E   assert …", "Traceback …"); ``is_critical`` also takes a bare word.
Both are told apart because a match of a search, a line of a diff or the name of a passing test may hold any word.
"""

from __future__ import annotations

from token_saver.text.rx import rx

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
    "missing", "invalid", "unexpected", "unhealthy", "terminated", "\ne   ",
)  # fmt: skip
"""Every match of the pattern above holds one of them (``e   `` at the start of the text aside)."""
_REPORT = rx(
    r"\s*(?:\[?[\d:.,TZ+/-]{6,30}\]?\s+)*(?:[\w.-]{1,30}: )?\W{0,4}(?:errors?|err!|fatal|failed|failures?|fail|panic|exception|"
    r"traceback|critical|assertionerror|abort(?:ed)?|killed|segmentation fault|undefined reference|conflict)\b(?!\w)"
    r"|\s*(?:\w+\.)*\w*(?:error|exception)\b(?::|$)|e  +\S|\s*!|\s*✖|\s*✗|\s*✘|\s*×"
    r"|.{0,200}: (?:fatal )?error\b|.{0,200}(?:permission denied|no such file or directory|command not found|"
    r"connection refused|timed out)"
)
_FINE = rx(
    r".*(?:\bpassed\b|\bok$|\bok \(|[✓✔]|\b0 (?:errors?|failures?|failed|conflicts?|missing)\b|"
    r"\bno (?:errors?|failures|conflicts)\b|"
    r"\b(?:errors?|failures?|failed|fail|skipped): ?0\b|\b(?:errors?|failures?|failed|fail) 0\b)"
)


def critical_lines(lines: Sequence[str]) -> list[int]:
    """Return the indexes of the lines that hold a word of failure and do not say that there was none.

    The joined text is searched once: most texts hold no such word, and then no line is looked at.
    """
    joined = "\n".join(lines)
    low = joined.lower()
    if len(low) != len(joined):
        hits = [index for index, line in enumerate(lines) if _WORDS.search(line.lower())]
    else:
        hits = _hit_lines(low)
    return [index for index in hits if _FINE.match(lines[index][:2000].lower()) is None]


def is_critical(line: str) -> bool:
    """Tell whether one line holds a word of failure and does not say that there was none."""
    low = line[:2000].lower()
    return _WORDS.search(low) is not None and _FINE.match(low) is None


def is_report(line: str) -> bool:
    """Tell whether one line has the shape of an error report and does not say that there was none."""
    low = line[:2000].lower()
    return _REPORT.match(low) is not None and _FINE.match(low) is None


def _hit_lines(low: str) -> list[int]:
    """Look for the stems one by one, which is a search in C for each, and match the whole pattern only where one stands."""
    starts = {0} if low.startswith("e   ") else set()
    for stem in _STEMS:
        found = low.find(stem)
        while found >= 0:
            starts.add(low.rfind("\n", 0, found + 1) + 1)
            end = low.find("\n", found + 1)
            found = low.find(stem, end) if end >= 0 else -1
    hits: list[int] = []
    line = done = 0
    for start in sorted(starts):
        end = low.find("\n", start)
        if _WORDS.search(low, start, end if end >= 0 else len(low)) is not None:
            line += low.count("\n", done, start)
            done = start
            hits.append(line)
    return hits
