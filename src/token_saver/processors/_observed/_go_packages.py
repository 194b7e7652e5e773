"""The tests of go packages while they are read: what each printed, its verdict, and the result of the package."""

from __future__ import annotations

from token_saver.text.findings import Finding
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processors._observed._gather import Gathered

_PLACE = rx(r"\s*(?P<place>[\w./-]+\.go:\d+):(?:\d+:)? ?(?P<text>.*)")
_FRAME = rx(r"\t(?P<place>/(?!usr/)\S+\.go:\d+)(?: \+0x[0-9a-f]+)?$")
_SPOKEN = rx(r"=== |\s*--- |\s*$")
_FEW = 10


class Package:
    """One package: the lines of each test in their order ("" for those of no test), and the verdicts."""

    __slots__ = ("lines", "result", "words")

    def __init__(self) -> None:
        self.lines: dict[str, list[str]] = {}
        self.words: dict[str, str] = {}
        self.result = ""

    def add(self, test: str, line: str) -> None:
        """Add a line that *test* printed."""
        self.lines.setdefault(test, []).append(line)

    def verdict(self, test: str, word: str, line: str) -> None:
        """Add the verdict of *test*; when it ran several times, a failure counts more than a pass."""
        if self.words.get(test) != "FAIL":
            self.words[test] = word
        self.add(test, line)

    def is_idle(self) -> bool:
        """Tell whether no test was read since the last result."""
        return not any(self.lines.keys() - {""}) and not self.words


class Packages:
    """All packages of a run; ``built`` are lines of the compiler, ``strange`` lines outside of any package."""

    def __init__(self, gathered: Gathered) -> None:
        self.gathered = gathered
        self.results: list[tuple[str, str]] = []
        self.built: list[str] = []
        self.strange: list[str] = []
        self._open: dict[str, Package] = {}

    def named(self, name: str) -> Package:
        """Return the package *name* that is being read."""
        return self._open.setdefault(name, Package())

    def is_idle(self) -> bool:
        """Tell whether every package with tests has its result."""
        return all(package.is_idle() for package in self._open.values())

    def close(self, package: Package, name: str, word: str, line: str) -> None:
        """Add the findings and passed ids of *package*, whose result is *word*, told by *line*."""
        self._open = {key: value for key, value in self._open.items() if value is not package}
        self.results.append((word, line))
        failed = {test for test, verdict in package.words.items() if verdict == "FAIL"}
        known = len(self.gathered.diagnostics)
        for test, lines in package.lines.items():
            self._test(name, test, package.words.get(test, ""), lines, failed)
        rest = package.lines.get("", [])
        if word == "ok":
            self.gathered.passed.append(name)
        if word == "FAIL" and known == len(self.gathered.diagnostics):
            self.gathered.test(name, next((one for one in rest if one.strip()), line), [*rest, line], name=name)
        else:
            self.gathered.context += rest

    def _test(self, package: str, test: str, verdict: str, lines: Sequence[str], failed: set[str]) -> None:
        if not test:
            return
        said = [line for line in lines if not _SPOKEN.match(line)]
        if verdict == "FAIL" and (said or not any(other.startswith(f"{test}/") for other in failed)):
            place, summary = _reason(said)
            self.gathered.test(f"{package}.{test}", summary or "failed", lines, location=place, name=test)
        elif verdict == "PASS":
            self.gathered.passed.append(f"{package}.{test}")
            self.gathered.context += said
        else:
            self.gathered.context += lines

    def snapshot(self) -> Snapshot:
        """Return all that was read; of many packages the totals name only those that failed."""
        gathered = self.gathered
        for item in located(self.built):
            if isinstance(item, Finding):
                gathered.finding(item, rule="build")
            else:
                gathered.context += [item] if isinstance(item, str) else item.lines
        many = len(self.results) > _FEW
        gathered.totals += [line for word, line in self.results if line and (word == "FAIL" or not many)]
        gathered.context += [line for word, line in self.results if word == "?" and many]
        gathered.context += self.strange
        return gathered.snapshot("go")


def _reason(lines: Sequence[str]) -> tuple[str, str]:
    """Return the first place that a test names and what it says there."""
    for line in lines:
        found = _PLACE.match(line)
        if found is not None:
            return found.group("place"), found.group("text").strip() or line.strip()
    frames = (found.group("place") for line in lines if (found := _FRAME.match(line)))
    return next(frames, ""), next((line.strip() for line in lines), "")
