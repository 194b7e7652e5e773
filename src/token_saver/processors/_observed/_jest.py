"""jest: the reports below each suite, the lists of ``--verbose``, and the counts at the end."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.failures import is_library
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_SUITE = rx(r"\s?(?:PASS|FAIL|RUNS) +(?P<path>\S[^\n]*?)(?: \(\d[\d.]*\s?m?s[^)]*\))?$")
_REPORT = rx(r"  ● (?P<title>\S.*)$")
_CLOSE = rx(
    r"\s?(?:PASS|FAIL|RUNS) |Test Suites: | › |Snapshot Summary|Summary of all failing tests|-{5,}\||Tests: |Snapshots: |Time: "
)
_TOTALS = rx(r"Test Suites: |Tests: ")
_FAILED = rx(r"Tests: +(?:\d+ \w+, )*?(\d+) failed")
_NAMED = rx(r"(?P<indent> +)(?:(?P<mark>[✓√✕×○✎]) )?(?P<name>\S.*?)(?: \(\d[\d.]* m?s\))?$")
_PLACE = rx(r"\s*at (?:.* )?\(?(?P<place>[^\s()]+\.\w+:\d+):\d+\)?$")
_NOT_RUN = "Test suite failed to run"


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; the number of failed tests has to be that of the totals."""
    if capture.command.has("--json", "--watch", "--watchAll", "--listTests") or not is_whole(capture):
        return None
    reader = _Reader()
    for line in capture.lines:
        reader.line(line)
    reader.close()
    gathered = reader.gathered
    if not any(line.startswith("Tests: ") for line in gathered.totals):
        return None
    failed = sum(int(found.group(1)) for line in gathered.totals if (found := _FAILED.match(line)))
    return gathered.snapshot("jest") if failed == len(gathered.diagnostics) - reader.suites else None


class _Reader:
    """Follows the suite, the report and the nesting of names."""

    def __init__(self) -> None:
        self.gathered = Gathered()
        self.suites = 0
        self._path = ""
        self._report: list[str] = []
        self._names: list[tuple[int, str]] | None = None
        self._seen: set[tuple[str, ...]] = set()

    def line(self, line: str) -> None:
        suite = _SUITE.match(line)
        if suite is not None:
            self.close()
            self._path, self._names = suite.group("path"), []
            self.gathered.context.append(line)
        elif _REPORT.match(line):
            self.close()
            self._report, self._names = [line], None
        elif _CLOSE.match(line):
            self.close()
            self._names = None
            self.gathered.line(line, _TOTALS)
        elif self._report:
            self._report.append(line)
        else:
            self._name(line)

    def close(self) -> None:
        """Add the report that was read, unless it stood in the output before."""
        report, self._report = self._report, []
        while report and not report[-1].strip():
            report.pop()
        found = _REPORT.match(report[0]) if report else None
        if found is None:
            return
        title = found.group("title")
        if title == "Console":
            self.gathered.context += report
        elif (key := (self._path, *report)) not in self._seen:
            self._seen.add(key)
            self.suites += title == _NOT_RUN
            identifier = self._path if title == _NOT_RUN else f"{self._path} › {title}"
            self.gathered.test(identifier, _summary(report), report, location=_location(report))

    def _name(self, line: str) -> None:
        """Names of tests stand below their suites, indented; a gap ends the list."""
        found = _NAMED.match(line)
        if self._names is None or found is None:
            self._names = None
            self.gathered.context.append(line)
            return
        depth, mark, name = len(found.group("indent")), found.group("mark"), found.group("name")
        self._names = [one for one in self._names if one[0] < depth]
        if mark in ("✓", "√"):
            self.gathered.passed.append(" › ".join([self._path, *(one[1] for one in self._names), name]))
            return
        if mark is None:
            self._names.append((depth, name))
        self.gathered.context.append(line)


def _summary(report: Sequence[str]) -> str:
    return next((line.strip() for line in report[1:] if line.strip()), report[0].strip())


def _location(report: Sequence[str]) -> str:
    places = (found for line in report if not is_library(line) and (found := _PLACE.match(line)))
    return next((found.group("place") for found in places), "")
