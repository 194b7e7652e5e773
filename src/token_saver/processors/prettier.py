"""prettier."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors._linter import listed
from token_saver.text import Fold, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_WARN = "[warn] "
_NAME = rx(r"(?!\[)[^\s:][^:]*\.\w+$")
_WRITTEN = rx(r"\S.* \d+(?:\.\d+)?m?s(?: \(unchanged\)| \(cached\))?$")


class PrettierProcessor(Family):
    """Every file that is not formatted, errors whole, the tool's own last line; of files rewritten the unchanged are counted."""

    name = "prettier"
    priority = 27
    commands = ("prettier",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        if capture.command.has("--write", "-w"):
            return _written(capture.lines)
        return _checked(capture.lines)


def _checked(lines: list[str]) -> Iterator[Piece]:
    run: list[str] = []
    for line in lines:
        if _NAME.match(line.removeprefix(_WARN)) and (not run or line.startswith(_WARN) == run[0].startswith(_WARN)):
            run.append(line)
            continue
        yield from listed(run, "more file", _WARN)
        run = []
        yield line
    yield from listed(run, "more file", _WARN)


def _written(lines: list[str]) -> Iterator[Piece]:
    for line in lines:
        if _WRITTEN.match(line) and line.endswith(("(unchanged)", "(cached)")):
            yield Fold([line], "unchanged file", known=True)
        else:
            yield line
