"""unittest, and the runners that print as it does (Django's, nose2, trial)."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.text import Fold, rx
from token_saver.text.failures import failure
from token_saver.text.findings import report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_RULE = rx(r"={60,}$")
_DASHES = rx(r"-{60,}$")
_TITLE = rx(r"(?:FAIL|ERROR|UNEXPECTED SUCCESS|EXPECTED FAILURE): \S")
_PROGRESS = rx(r"[.FEsxu]{1,}$")
_PASSED = rx(r"\S+ \(\S+\)(?: \(.*\))? \.\.\. ok$|.* \.\.\. ok$|(?:Creating|Destroying|Preserving) test database ")
_RAN = rx(r"Ran \d+ tests? in |\d+ tests? (?:ran|run)")
_TRACEBACK = "Traceback (most recent call last):"


class UnittestProcessor(Family):
    """Each failure and error with its message and own frames; the line of dots and passing tests are counted."""

    name = "unittest"
    priority = 21
    commands = ("unittest", "manage.py test", "django-admin test", "nose2", "trial", "stestr", "zope-testrunner", "asynctest")

    def read(self, capture: Capture) -> Iterable[Piece]:
        return report(_items(capture.lines), noun="failure", whole=0, share=100)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._unittest import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _items(lines: Sequence[str]) -> list[Item]:
    items: list[Item] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        end = index + 1
        if _RULE.match(line) and end < len(lines) and _TITLE.match(lines[end]):
            items.append(Fold([line], "rule", known=True, told=True))
            index = end
            end = _report_end(lines, end + 1)
            items.append(failure(lines[index:end]))
        elif line == _TRACEBACK:
            end = _traceback_end(lines, end)
            items.append(failure(lines[index:end]))
        elif _PASSED.match(line):
            items.append(Fold([line], "passing test", known=True))
        elif _PROGRESS.match(line):
            items.append(Fold([line], "line of progress", known=True))
        else:
            items.append(line)
        index = end
    return items


def _report_end(lines: Sequence[str], index: int) -> int:
    """A report ends before the rule of the next, or before the dashes over the count of tests."""
    while index < len(lines):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if _RULE.match(lines[index]) or _RAN.match(lines[index]) or (_DASHES.match(lines[index]) and _RAN.match(following)):
            return index
        index += 1
    return index


def _traceback_end(lines: Sequence[str], index: int) -> int:
    while index < len(lines) and lines[index].startswith(" "):
        index += 1
    return min(index + 1, len(lines))
