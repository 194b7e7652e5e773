"""vitest: the reports of failed suites and tests, names of the lists above them, and the counts at the end."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_FAIL = rx(r" FAIL  (?P<id>\S.*?)(?: \[ .* \])?$")
_RULE = rx(r"⎯{3,}(?: (?P<title>[A-Z].*?) ⎯+|\[\d+/\d+\]⎯*)?$")
_TOTALS = rx(r" Test Files  +\S|      Tests  +\S|     Errors  +\S")
_FAILED = rx(r"      Tests +(\d+) failed")
_ERRORS = rx(r"     Errors +(\d+) error")
_FILE = rx(r" (?P<mark>[✓√❯×]) (?P<path>(?:\|[^|]+\| )?\S+\.\w+) \(\d+ tests?\b.*\).*$")
_PASSED = rx(r"(?P<indent> +)[✓√] (?P<name>\S.*?)(?: \d+ms)?$")
_PLACE = rx(r" ❯ (?:.* )?(?P<place>[^\s:]+\.\w+:\d+):\d+$")
_UNHANDLED = ("Unhandled", "Uncaught")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the run reported; the number of failed tests has to be that of the totals."""
    if capture.command.has("--reporter", "--watch", "-w", "--ui") and capture.command.option("--reporter") not in _READ:
        return None
    if not is_whole(capture):
        return None
    reader = _Reader()
    for line in capture.lines:
        reader.line(line)
    reader.close()
    return reader.gathered.snapshot("vitest") if reader.agrees() else None


_READ = ("default", "verbose", None)


class _Reader:
    """Follows the file, the report and its titles."""

    def __init__(self) -> None:
        self.gathered = Gathered()
        self._file = ""
        self._titles: list[str] = []
        self._body: list[str] | None = None
        self._unhandled = ""
        self._tests = self._stray = 0

    def line(self, line: str) -> None:
        rule = _RULE.match(line) if line[:1] == "⎯" else None
        failed = _FAIL.match(line)
        if rule is not None:
            self.close()
            title = rule.group("title") or ""
            if title.startswith(_UNHANDLED) and not title.startswith("Unhandled Errors"):
                self._unhandled, self._body = line, []
            else:
                self.gathered.context.append(line)
        elif failed is not None:
            if self._body:
                self.close()
            self._titles.append(line)
            self._body = []
        elif _TOTALS.match(line):
            self.close()
            self._total(line)
        elif self._body is not None:
            self._body.append(line)
        else:
            self._other(line)

    def close(self) -> None:
        """Add a finding for each title of the report that was read."""
        body, self._body = self._body or [], None
        titles, self._titles = self._titles, []
        for title in titles:
            found = _FAIL.match(title)
            assert found is not None
            self._tests += " > " in found.group("id")
            self.gathered.test(found.group("id"), _summary(body), [title, *body], location=_location(body))
        if self._unhandled:
            self._stray += 1
            self.gathered.test(f"unhandled|{_summary(body)}", _summary(body), [self._unhandled, *body], location=_location(body))
            self._unhandled = ""

    def _total(self, line: str) -> None:
        """Of totals that were drawn again the last ones count."""
        label = line[:12]
        self.gathered.context += [one for one in self.gathered.totals if one[:12] == label]
        self.gathered.totals = [one for one in self.gathered.totals if one[:12] != label] + [line]

    def agrees(self) -> bool:
        """Tell whether the totals are those of the findings."""
        totals = self.gathered.totals
        failed = sum(int(found.group(1)) for line in totals if (found := _FAILED.match(line)))
        errors = sum(int(found.group(1)) for line in totals if (found := _ERRORS.match(line)))
        return any("Tests" in line for line in totals) and failed == self._tests and errors == self._stray

    def _other(self, line: str) -> None:
        """A file, or a test that passed: with its whole id, or right below its file."""
        file, test = _FILE.match(line), _PASSED.match(line)
        if file is not None:
            self._file = file.group("path")
            if file.group("mark") in "✓√":
                self.gathered.passed.append(self._file)
            if file.group("mark") not in "✓√" or " | " in line:
                self.gathered.context.append(line)
        elif test is not None and len(test.group("indent")) == 1 and " > " in test.group("name"):
            self.gathered.passed.append(test.group("name"))
        elif test is not None and len(test.group("indent")) == 3 and self._file:
            self.gathered.passed.append(f"{self._file} > {test.group('name')}")
        else:
            self.gathered.context.append(line)


def _summary(body: Sequence[str]) -> str:
    return next((line.strip() for line in body if line.strip()), "failed")


def _location(body: Sequence[str]) -> str:
    return next((found.group("place") for line in body if (found := _PLACE.match(line))), "")
