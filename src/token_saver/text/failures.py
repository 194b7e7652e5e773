"""Failures of tests: what a report of one says, and what only surrounds it.

A report has a title, a message, often a difference, a frame of source and a stack. The title, the message, the
difference, the line that is pointed at and the first frames of the user's own code say why; the source around that line
and the frames of libraries are context.
"""

from __future__ import annotations

from token_saver.text.findings import ERROR, Finding
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from token_saver.text.rx import Rx

OWN_FRAMES = 3
MOST_LINES = 28
WIDE = 500

_NOISE = rx(
    r"(?P<frame>\s*(?:at |❯ |from |# (?=[./\w])|\d+ +(?=/))(?P<at>.*))"
    r"|(?P<source>\s*(?:(?P<mark>[>➜❯])\s*)?\d+\s?[|│▕])"
    r"|(?P<caret>(?:\s*[|│▕])?\s*[\^~]+\s*$|\s*[|│▕]\s*(?:\^.*)?$)"
    r"|(?P<python>\s*File \"(?P<file>[^\"]*)\", line \d+)"
    r"|(?P<rule>\s*[-─⎯═━_=]{6,}\S{0,9}\s*$)"
)
_LIBRARY = rx(
    r".*(?:node_modules/|\bnode:|\(internal/|\binternal/|<anonymous>\)?$|^Array\.|/gems/|/ruby/|rubygems|/bin/rspec|site-packages|"
    r"/lib/python|<frozen |/vendor/|/usr/lib/|/usr/share/|/usr/local/|phpunit\.phar|\[native code\]|Xunit\.|System\.|"
    r"/elixir/lib|\(ex_unit)"
)
_PLACE = rx(r".*?(?P<path>(?:[A-Za-z]:(?=[\\/]))?[\w@./\\-][^\s:()'\"]*\.[A-Za-z]\w*)[:(](?P<line>\d+(?:[:,]\d+)?)")


def is_library(frame: str) -> bool:
    """Tell whether a line of a stack belongs to a library, the language or the test runner."""
    return _LIBRARY.match(frame) is not None


class Failure(Finding):
    """A finding that reads its lines closely only when it is shown: of thousands of failures few are."""

    __slots__ = ("_path", "_pick", "_picked", "_place")

    is_report = True

    def __init__(self, lines: list[str], path: str, rule: str, pick: Callable[[Sequence[str]], list[int]]) -> None:
        super().__init__(lines, rule=rule, text=_message(lines), rank=ERROR)
        self._path = path
        self._place: str | None = None
        self._pick = pick
        self._picked: Sequence[int] | None = None

    @property
    def picked(self) -> Sequence[int] | None:
        """The indexes of the lines that say what failed, where and why."""
        if self._picked is None:
            self._picked = self._pick(self.lines)
        return self._picked

    @picked.setter
    def picked(self, picked: Sequence[int] | None) -> None:
        self._picked = picked

    @property
    def path(self) -> str:
        """The file of the test, or of the first of the user's own places in the report."""
        self._find()
        return self._path

    @path.setter
    def path(self, path: str) -> None:
        self._path = path

    @property
    def place(self) -> str:
        """The line, or line:column, of that place."""
        self._find()
        return self._place or ""

    @place.setter
    def place(self, place: str) -> None:
        self._place = place or None

    def _find(self) -> None:
        if self._place is None:
            path, self._place = _place(self.lines)
            self._path = self._path or path


def failure(
    block: Sequence[str], path: str = "", rule: str = "", pick: Callable[[Sequence[str]], list[int]] | None = None
) -> Finding:
    """Make a finding of the report *block*, whose first line is its title; *pick* finds the lines that say why."""
    return Failure(list(block), path, rule, pick or essentials)


def _message(lines: Sequence[str]) -> str:
    """Return the first lines below the title; of a Python traceback its last line, which tells the exception."""
    told = [line for line in (line.strip() for line in lines[1:12]) if line and line[0] not in "-="]
    if told and told[0].startswith("Traceback ("):
        return next((line.strip() for line in reversed(lines) if line.strip()), "")
    return "\n".join(told[:5]) or lines[0].strip()


def output(block: Sequence[str], rank: int) -> Finding:
    """Make a finding of what a test printed: its message, and the first frame of a stack."""
    lines = list(block)
    made = Finding(lines, rank=rank, text="\n".join(line.strip() for line in lines[1:6]), picked=essentials(lines, frames=1))
    made.noun = "block of test output"
    return made


def essentials(lines: Sequence[str], frames: int = OWN_FRAMES) -> list[int]:
    """Return the indexes of the lines that say what failed, where and why, with *frames* of the user's own."""
    picked: list[int] = []
    own = 0
    library = False
    for index, line in enumerate(lines):
        found = _NOISE.match(line) if line.strip() and len(line) < WIDE else None
        kind = found.lastgroup if found is not None else ""
        if found is None:
            if line.strip() and not (library and line[:1] == " "):
                picked.append(index)
                library = False
        elif kind == "frame":
            if not is_library(found.group("at")) and own < frames:
                own += 1
                picked.append(index)
        elif kind == "source":
            if found.group("mark"):
                picked.append(index)
        elif kind == "python":
            library = is_library(found.group("file"))
            if not library:
                picked.append(index)
    return _ends(picked, lines)


def _ends(picked: list[int], lines: Sequence[str]) -> list[int]:
    """Of a long report keep both ends, and the changed lines of a difference between them while they are few."""
    if len(picked) <= MOST_LINES:
        return picked
    head, tail = picked[: MOST_LINES // 2], picked[-MOST_LINES // 3 :]
    middle = [index for index in picked[MOST_LINES // 2 : -MOST_LINES // 3] if lines[index].lstrip()[:1] in "+-"]
    return [*head, *middle[: MOST_LINES // 3], *tail]


def _place(lines: Sequence[str]) -> tuple[str, str]:
    for line in lines:
        found = _PLACE.match(line) if len(line) < WIDE and (":" in line or "(" in line) else None
        if found is not None and not is_library(line):
            return found.group("path"), found.group("line")
    return "", ""


def reports(lines: Sequence[str], start: Rx, end: Rx) -> Iterator[list[str]]:
    """Cut *lines* into reports that begin where *start* matches and into single lines outside of any.

    A report ends before the next one, or before a line that *end* matches.
    """
    block: list[str] = []
    for line in lines:
        if start.match(line):
            if block:
                yield block
            block = [line]
        elif block and end.match(line):
            yield block
            block = []
            yield [line]
        elif block:
            block.append(line)
        else:
            yield [line]
    if block:
        yield block
