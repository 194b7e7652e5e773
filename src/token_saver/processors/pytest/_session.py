"""The part above the failures: banner, collection, progress; and whatever tests printed there."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.processors.pytest import _output, _trace
from token_saver.text import Recast, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.processors.pytest._marks import Mark

BANNER = "line of banner"
PROGRESS = "line of progress"
PASSED = "passing test"
TEST = "collected test"
VERDICT = "verdict"
ID = "id"
COLLECTED = "collected"
_WORDS = ("PASSED", "FAILED", "ERROR", "SKIPPED", "XFAIL", "XPASS", "RERUN")
_BANNERS = (
    *("platform ", "cachedir: ", "rootdir: ", "configfile: ", "inifile:", "testpaths: ", "plugins: ", "hypothesis profile "),
    *("created: ", "initialized: ", "ready: ", "scheduling tests via", "bringing up nodes", "asyncio: mode", "metadata: "),
    *("timeout: ", "timeout method: ", "timeout func_only: ", "benchmark: "),
)
_COUNTS = rx(r"(?:collecting \.\.\. )?collected \d+ item|\d+(?:/\d+)? tests? collected|no tests collected")
_WORKERS = rx(r"\d+ workers? \[|gw\d+ \[|collecting \.\.\. *$")
_LETTERS = r"[.FEsxXRrpPuU,\-]"
_PROGRESS = rx(
    rf"(?:\S+\.\w{{1,7}}(?:::\S+)? )?{_LETTERS}+ *\[ *\d+(?:%|/\d+)\]$|\s+\[ *\d+%\]$|"
    rf"\S+\.(?:py|pyx|md|rst|txt|ya?ml) {_LETTERS}* *$|{_LETTERS}{{12,}}$"
)
_ID = rx(r"\S+?\.py::[^\s\[]+(?:\[.*\])? ?$")
_NODE = rx(r"\s*<(?:Module|Package|Class|Function|Dir|Session|Doctest\w*|TestCaseFunction|Coroutine|UnitTestCase|Item)\b")
_WORKER = rx(r"\[gw\d+\] \[ *\d+%\] ([A-Z]+)\b")
_REASONED = rx(r"\S.*? (SKIPPED|XFAIL|XPASS|RERUN) +\((.*)\)$")
_STOPPED = (PROGRESS, ID)  # what an interrupted run was at
_RUNNING = (PROGRESS, ID, VERDICT)  # what a run was at that printed no verdict of its own
_BELOW = "[]%/ 0123456789"  # what stands behind a verdict: blanks and the progress
_FAILING = rx(r"(?:\S+ )?[.sxXRrpPuU,\-]*[FE]")
_PARAMS = rx(r"(?P<function>[^\[]+)\[")
_LOG = rx(r"[A-Z]{4,8} +\S+:\S+:\d+ ")
_CRASH = "INTERNALERROR>"
_WHOLE_LISTING = 12_000
_LONGEST = 2000


def mark(lines: Sequence[str], *, told: bool, finished: bool, listing: bool, shown: set[str]) -> Iterator[Mark]:
    """Mark the lines; *told*: failures are named below; *finished*: a verdict follows; *listing*: ids were asked for."""
    reader = _Reader(told, listing and sum(map(len, lines)) > _WHOLE_LISTING, listing)
    strange: list[str] = []
    running = ""
    last = next((index for index in range(len(lines) - 1, -1, -1) if lines[index].strip()), 0)
    for index, line in enumerate(lines):
        kind, word = _kind(line) if line.strip() else ("", "")
        if kind is None or (kind == "" and strange):
            if running:
                yield m.DETAIL, PROGRESS, running
                running = ""
            strange.append(line)
            continue
        if running:
            yield m.NEVER, PROGRESS, running
            running = ""
        if strange:
            yield from _strange(strange, shown)
            strange = []
        if index == last and kind in (_STOPPED if finished else _RUNNING) and not (finished and (told or line[-1:] == "]")):
            yield m.REASON, PROGRESS, _squeezed(line)
        elif kind == ID and not listing:
            running = line
        else:
            yield reader.mark(line, kind, word)
    yield from _strange(strange, shown)
    if running:
        yield m.NEVER, PROGRESS, running


def _kind(line: str) -> tuple[str | None, str]:
    """Return what kind of line it is, and the verdict it gives; None when no kind fits."""
    if line.startswith(_BANNERS):
        return BANNER, ""
    if len(line) > _LONGEST:
        return None, ""
    if line.startswith("[gw") and (found := _WORKER.match(line)):
        return VERDICT, found.group(1)
    core = line.rstrip(_BELOW)
    if core.endswith(_WORDS):
        word = core.rpartition(" ")[2]
        return (VERDICT, word) if word in _WORDS else (None, "")
    if core[-1:] == ")" and (found := _REASONED.match(core)):
        return VERDICT, found.group(1) + found.group(2)
    if ".py::" in line and _ID.match(line):
        return ID, ""
    if _PROGRESS.match(line):
        return PROGRESS, ""
    if line[:1] in "cn0123456789" and _COUNTS.match(line):
        return COLLECTED, ""
    if line[:1] in "cg0123456789" and _WORKERS.match(line):
        return BANNER, ""
    return (TEST, "") if "<" in line[:60] and _NODE.match(line) else (None, "")


class _Reader:
    """Marks lines of known kind."""

    def __init__(self, told: bool, cut: bool, listing: bool) -> None:
        self.told = told
        self.cut = cut
        self.listing = listing
        self.reasons: dict[str, int] = {}
        self.functions: dict[str, int] = {}

    def mark(self, line: str, kind: str, word: str) -> Mark:
        if kind == COLLECTED:
            return m.ALWAYS, BANNER, Recast(line.rstrip(), [line]) if line[-1:] == " " else line
        if kind == PROGRESS:
            return (m.FRAME if not self.told and _FAILING.match(line) else m.NEVER), PROGRESS, _squeezed(line)
        if kind == VERDICT:
            return self._verdict(line, word)
        if kind in (ID, TEST) and self.listing:
            return self._listed(line)
        return m.NEVER, kind or BANNER, line

    def _verdict(self, line: str, word: str) -> Mark:
        if word == "PASSED":
            return m.NEVER, PASSED, line
        if word in ("FAILED", "ERROR", "RERUN"):
            return (m.NEVER if self.told else m.STATEMENT), (m.VERDICT if self.told else PROGRESS), _squeezed(line)
        count = self.reasons[word] = self.reasons.get(word, 0) + 1
        worth = m.FRAME if word.startswith("XPASS") or count <= 2 else m.EDGE if count <= 5 else m.REST
        return worth, "skipped test" if word.startswith("SKIPPED") else "expected failure", _squeezed(line)

    def _listed(self, line: str) -> Mark:
        found = _PARAMS.match(line)
        if not self.cut:
            return m.ALWAYS, TEST, line
        if found is None:
            return m.DETAIL, TEST, line
        count = self.functions[found.group("function")] = self.functions.get(found.group("function"), 0) + 1
        return (m.DETAIL if count == 1 else m.NOISE), TEST, line


def _squeezed(line: str) -> str | Recast:
    """Return *line* without the blanks that push the percentage to the right edge."""
    if "  " not in line or not line.endswith("]"):
        return line
    head, _, tail = line.rpartition("[")
    text = f"{head.rstrip()} [{tail.strip()}"
    return Recast(text, [line]) if len(text) < len(line) else line


def _strange(lines: list[str], shown: set[str]) -> Iterator[Mark]:
    """Lines of no known kind: a traceback before the run began, output of tests, notes of plugins."""
    if not lines:
        return
    if any(line[:2] == "E " or ": in " in line or 'File "' in line or line.startswith(_CRASH) for line in lines):
        yield from _internal(lines)
        return
    start = 0
    for index, line in enumerate(lines):
        found = _output.HEAD.match(line) if line[:3] == "---" else None
        if found is not None:
            yield from _printed(lines[start:index], shown)
            yield _output.head(line, found.group(1))
            start = index + 1
    yield from _printed(lines[start:], shown)


def _printed(lines: Sequence[str], shown: set[str]) -> Iterator[Mark]:
    """Output of tests by its worth; a few lines stay, because a plugin may have said them."""
    if len(lines) <= 8 and not any(_LOG.match(line) for line in lines):
        for line in lines:
            yield (m.STATEMENT if line.strip() else m.NEVER), m.OUTPUT, line
        return
    yield from _output.mark(lines, shown)


def _internal(lines: list[str]) -> Iterator[Mark]:
    """A traceback outside of any test; ``INTERNALERROR>`` stands before each line of pytest's own."""
    if not any(line.startswith(_CRASH) for line in lines):
        yield from _trace.Reader().read(lines)
        return
    library = False
    for line in lines:
        text = line.removeprefix(_CRASH).removeprefix(" ")
        path = _trace.file_of(text)
        library = _trace.foreign(path) if path else library and text[:1] == " "
        yield (m.NEVER if library or text[:1] == "~" else m.REASON), (m.LIBRARY if library else m.SOURCE), line
