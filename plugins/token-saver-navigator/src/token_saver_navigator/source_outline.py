"""A long source file that a command prints whole, as its outline: bodies of functions give way to a marker with their lines.

It is asked about nothing unless the setting ``source_outline`` is on.
"""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.text.pieces import Fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece
    from token_saver_navigator.parsing import Symbol

LEAST_CHARACTERS = 8_000
"""A shorter file is read as it is."""
LEAST_LINES = 4
"""A shorter body is."""
_FUNCTIONS = frozenset({"function", "method", "constructor"})
_PLAIN = frozenset(
    {"-p", "-pp", "--plain", "--paging=never", "--style=plain", "--color=never", "--decorations=never", "-n", "--lines"}
)


class SourceOutlineProcessor(Family):
    """Imports, signatures, docstrings and everything outside of functions stay; each omitted body is told with its lines."""

    name = "source_outline"
    priority = 49
    commands = ("cat", "head", "bat", "batcat")
    line_ends = True

    def can_handle(self, command: str) -> bool:
        line = as_command(command)
        return super().can_handle(line) and bool(_language(line)) and _counts_from_one(line) and _is_on()

    def read(self, capture: Capture) -> Iterable[Piece]:
        if capture.failed or len(capture.text) < LEAST_CHARACTERS:
            return capture.lines
        from token_saver_navigator.parsing import parse

        parsed = parse(capture.text.encode("utf-8", "surrogatepass"), _language(capture.command))
        return list(_pieces(capture.lines, list(_bodies(capture.lines, parsed.symbols))))


def _is_on() -> bool:
    """Tell whether the setting is on here: a project may switch off what the user switched on."""
    from token_saver.settings import load

    return bool(load().get("source_outline"))


def _language(line: CommandLine) -> str:
    from token_saver_navigator.languages import language_of

    files = [operand for operand in line.operands if not operand.isdecimal()]
    found = language_of(files[0]) if len(files) == 1 else None
    return found.name if found else ""


def _counts_from_one(line: CommandLine) -> bool:
    """Tell whether the output is the file from its first line, without numbers or frames."""
    options = [word for word in line.args if word.startswith("-")]
    if line.program == "cat":
        return not options
    if line.program == "head":
        return all(word[1:].isdecimal() or word == "-n" or (word[:2] == "-n" and word[2:].isdecimal()) for word in options)
    return bool(options) and all(word in _PLAIN for word in options)


def _bodies(lines: Sequence[str], symbols: Sequence[Symbol]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of each outermost body of a function that is long enough, counted from 1."""
    done = 0
    for symbol in symbols:
        if symbol.kind not in _FUNCTIONS or not symbol.body_line or symbol.end_line <= done:
            continue
        first, last = symbol.body_line, symbol.body_end
        if lines[last - 1].strip()[:1] == "}":
            last -= 1
        if (
            first <= symbol.name_line
            or lines[first - 1].strip() == "{"
            or (lines[first - 1].rstrip().endswith("{") and last < symbol.body_end)
        ):
            first += 1
        if last - first + 1 >= LEAST_LINES:
            yield first, last
            done = symbol.end_line


def _pieces(lines: Sequence[str], bodies: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    done = 0
    for first, last in bodies:
        yield from lines[done : first - 1]
        yield Fold(lines[first - 1 : last], "line of body", told=True, names=f"{first}-{last}")
        done = last
    yield from lines[done:]
