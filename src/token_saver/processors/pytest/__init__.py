"""pytest: the runner's own words, read part by part."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.processors.pytest import _coverage, _failures, _session, _summary, _warnings
from token_saver.processors.pytest import _marks as m
from token_saver.text import Recast, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.processors.pytest._marks import Group, Mark
    from token_saver.text import Piece

_NO_RUN = ("--version", "-V", "--help", "-h", "--fixtures", "--fixtures-per-test", "--markers", "--cache-show", "--trace-config")
_HEADING = rx(r"=+ (\S.*?) =+$")
_STOP = rx(r"!+ (\S.*?) !+$")
_COUNTED = r"\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|warnings?|errors?|rerun|subtests passed)"
VERDICT = rx(
    rf"(?:=+ )?(?:{_COUNTED}\b.*|no tests ran|no tests collected.*|\d+(?:/\d+)? tests? collected.*)"
    r" in \d[\d.:hms ()]*(?: =+)?$"
)
_PARTS = {
    "FAILURES": "failures",
    "ERRORS": "failures",
    "PASSES": "others",
    "XFAILURES": "others",
    "XPASSES": "others",
    "short test summary info": "summary",
    "warnings summary": "warnings",
    "warnings summary (final)": "warnings",
    "tests coverage": "coverage",
    "test session starts": "session",
}
_LONG_PART = 30
_LONGEST_VERDICT = 500


class PytestProcessor(Family):
    """Each failure with its full id, statement, reason and place; passing tests, banner and library code as counts."""

    name = "pytest"
    priority = 21
    commands = ("pytest", "py.test")

    def read(self, capture: Capture) -> Iterable[Piece]:
        if capture.command.has(*_NO_RUN):
            return capture.lines
        return read_run(capture.lines, listing=capture.command.has("--collect-only", "--co"))

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._pytest import observe

        return observe(self.capture(as_command(command), output, exit_code))


class Part:
    """A heading with the lines below it, read by kind; the first part of an output has no heading."""

    __slots__ = ("before", "blocks", "entries", "heading", "kind", "lines", "title")

    def __init__(self, heading: str, title: str) -> None:
        self.heading = heading
        self.title = title
        self.kind = _PARTS.get(title, "durations" if title.startswith("slowest ") else "session" if not title else "other")
        self.lines: list[str] = []
        self.before: list[str] = []
        self.blocks: list[_failures.Block] = []
        self.entries: list[_summary.Entry] = []

    def read(self) -> Part:
        """Read the lines of a part that has failures or a summary."""
        if self.kind in ("failures", "others"):
            self.before, self.blocks = _failures.read(self.lines)
        elif self.kind == "summary":
            self.before, self.entries = _summary.read(self.lines)
        return self


def read_run(lines: Sequence[str], *, listing: bool = False) -> Iterator[Piece]:
    """Read the output of a run; *listing* tells that ids were asked for instead of a run."""
    parts = [part.read() for part in cut(lines)]
    failures = [block for part in parts if part.kind == "failures" for block in part.blocks]
    entries = [entry for part in parts for entry in part.entries]
    _failures.join(failures, entries)
    for part in parts:
        if part.entries and _is_told(part):
            _absorb(part, failures)
    failed = max(len(failures), sum(1 for entry in entries if entry.word in ("FAILED", "ERROR")))
    verdicts = [part.title for part in parts if VERDICT.match(part.heading)]
    listing = listing or any(" collected" in verdict for verdict in verdicts)
    groups = _groups(parts, told=failed > 0, finished=bool(verdicts), listing=listing)
    return m.assemble(list(groups), m.budget(sum(map(len, lines)) + len(lines), failed))


def _groups(parts: Iterable[Part], *, told: bool, finished: bool, listing: bool) -> Iterator[Group]:
    """Mark every part; a failure is a group of its own."""
    shown: set[str] = set()
    for part in parts:
        head = _head(part)
        if part.kind == "session":
            yield head + list(_session.mark(part.lines, told=told, finished=finished, listing=listing, shown=shown))
        elif part.kind in ("failures", "others"):
            yield head + list(_session.mark(part.before, told=told, finished=True, listing=False, shown=shown))
            yield from _failures.groups(part.blocks, shown, m.ALWAYS if part.kind == "failures" else m.EDGE)
        elif part.kind == "summary":
            yield [*head, *((m.FRAME, "line of summary", line) for line in part.before), *_summary.mark(part.entries)]
        else:
            yield head + list(_MARKERS.get(part.kind, _other)(part.lines))


def _is_told(part: Part) -> bool:
    """Tell whether failures took over all that a summary says."""
    return all(entry.used and not entry.more for entry in part.entries) and not any(line.strip() for line in part.before)


def _absorb(part: Part, failures: Sequence[_failures.Block]) -> None:
    """Let the last failure take the heading of a summary whose entries all went to failures."""
    last = next(block for block in reversed(failures) if block.entry is not None)
    last.extra = [*last.extra, part.heading, *part.before]
    part.heading = ""
    part.before = []


def cut(lines: Iterable[str]) -> list[Part]:
    """Cut the output at its headings; ``!!! … !!!`` and the verdict begin a part of their own."""
    parts = [Part("", "")]
    for line in lines:
        title = None
        first = line[:1]
        if first == "=":
            found = _HEADING.match(line)
            title = found.group(1) if found is not None else None
        elif first == "!":
            found = _STOP.match(line)
            title = found.group(1) if found is not None else None
        elif (first == "_" or first == "-") and _coverage.HEADING.match(line) and parts[-1].kind != "coverage":
            title = "tests coverage"
        elif " in " in line[:_LONGEST_VERDICT] and len(line) < _LONGEST_VERDICT and VERDICT.match(line):
            title = line
        if title is None:
            parts[-1].lines.append(line)
        else:
            parts.append(Part(line, title))
    return parts


def _head(part: Part) -> list[Mark]:
    """Mark the heading: verdicts stay, the rule around a title shrinks, the banner's own heading goes."""
    if not part.heading:
        return []
    if part.title == "test session starts":
        return [(m.NEVER, _session.BANNER, part.heading)]
    if _coverage.HEADING.match(part.heading):
        return list(_coverage.mark([part.heading]))
    text = part.title if part.kind == "other" and VERDICT.match(part.title) else _ruled(part)
    return [(m.ALWAYS, _session.BANNER, Recast(text, [part.heading]) if len(text) < len(part.heading) else part.heading)]


def _ruled(part: Part) -> str:
    rule = part.heading[0] * 2
    return f"{rule} {part.title} {rule}"


def _durations(lines: Sequence[str]) -> Iterator[Mark]:
    for index, line in enumerate(lines):
        text = " ".join(line.split())
        piece = Recast(text, [line]) if len(text) < len(line) else line
        yield (m.NEVER if not text else m.DETAIL if index <= 10 else m.REST), "duration", piece


def _other(lines: Sequence[str]) -> Iterator[Mark]:
    """A part that a plugin wrote, or what follows the verdict: kept while there is room."""
    for index, line in enumerate(lines):
        yield (m.STATEMENT if index < _LONG_PART else m.REST), "line", line


_MARKERS = {"warnings": _warnings.mark, "coverage": _coverage.mark, "durations": _durations}
