"""The output of Rust's test harness and of nextest, and the backtraces of panics."""

from __future__ import annotations

from token_saver.text import Fold, rx
from token_saver.text.failures import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.findings import Item
    from token_saver.text.pieces import Piece

_TEST = rx(r"test (?P<name>\S.*?) \.\.\. (?P<verdict>ok|ignored)(?P<reason>, .*)?$|test (?P<bench>\S+) +\.\.\. bench:")
_NEXTEST = rx(r" +(?:PASS|SLOW|SETUP PASS) \[ *>?[\d.]+s\](?: \(.*?\))? \S")
_OUTPUT = rx(r"---- (?P<name>\S.*) stdout ----$|-{3,} (?:STDOUT|STDERR): +\S|──+ (?:STDOUT|STDERR)|  (?:stdout|stderr) ───")
_FRAME = rx(r" +\d+: ")
_AT = rx(r" +at (?P<path>\S+)")
_LIBRARY = ("/rustc/", "/.cargo/registry/", "/library/", "./csu/", "/build/", "../csu", "<unknown>")
_AFTER = ("failures:", "test result:", "error: ", "────", "  Cancelling", "     Summary")
_BACKTRACE = "stack backtrace:"


def tests(items: Sequence[Item]) -> list[Item]:
    """Count passing tests, make a failure of each block of output, and take library frames out of backtraces."""
    made: list[Item] = []
    index = 0
    while index < len(items):
        item = items[index]
        end = index + 1
        if not isinstance(item, str):
            made.append(item)
        elif item == _BACKTRACE:
            end = _while(items, end, _is_frame)
            made.append(item)
            made.extend(_frames([line for line in items[index + 1 : end] if isinstance(line, str)]))
        elif (test := _TEST.match(item)) is not None and test.group("bench") is None and not test.group("reason"):
            made.append(Fold([item], f"{'passing' if test.group('verdict') == 'ok' else 'ignored'} test", known=True))
        elif _NEXTEST.match(item):
            made.append(Fold([item], "passing test", known=True))
        elif _OUTPUT.match(item):
            end = _while(items, end, _is_said)
            made.extend(_said([line for line in items[index:end] if isinstance(line, str)]))
        elif item == "failures:" and _names_only(items, end):
            end = _while(items, end, lambda line: line.startswith("    "))
            made.append(Fold([str(line) for line in items[index:end]], "name of a failing test repeated", known=True, told=True))
        else:
            made.append(item)
        index = end
    return made


def _while(items: Sequence[Item], index: int, holds: object) -> int:
    while index < len(items) and isinstance(items[index], str) and holds(items[index]):  # type: ignore[operator]
        index += 1
    return index


def _is_frame(line: str) -> bool:
    return _FRAME.match(line) is not None or _AT.match(line) is not None


def _is_said(line: str) -> bool:
    return not _OUTPUT.match(line) and not line.startswith(
        ("failures:", "test result:", "error: ", "────", "  Cancelling", "     Summary")
    )


def _names_only(items: Sequence[Item], index: int) -> bool:
    return index < len(items) and isinstance(items[index], str) and str(items[index]).startswith("    ")


def _said(block: list[str]) -> Iterator[Item]:
    """The name, and what the test printed: its panic with the place, backtrace frames of the user's own code."""
    start = next((index for index, line in enumerate(block) if line == _BACKTRACE), len(block))
    made = failure(block[:start])
    place = next((line.partition(" panicked at ")[2].rstrip(":") for line in block if " panicked at " in line), "")
    if place:
        made.path, _, made.place = place.partition(":")
    yield made
    yield from _frames(block[start:])


def _frames(lines: Sequence[str]) -> Iterator[Piece]:
    """A frame is a line with its number, and the place below it where there is one."""
    index = 0
    while index < len(lines):
        end = index + 1
        if _FRAME.match(lines[index]):
            place = _AT.match(lines[end]) if end < len(lines) else None
            end += place is not None
            if place is None or any(part in place.group("path") for part in _LIBRARY):
                yield Fold(lines[index:end], "line of library frames", known=True)
            else:
                yield from lines[index:end]
        else:
            yield lines[index]
        index = end
