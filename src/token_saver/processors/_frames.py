"""Python tracebacks inside the output of tools that are written in Python."""

from __future__ import annotations

from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FRAME = rx(
    r"(?P<indent> *)File \"[^\"\n]*"
    r"(?:site-packages|dist-packages|/lib/python|[\\/]Lib[\\/]|build-env-|<frozen )[^\"\n]*\", line \d+"
)


def own_frames(lines: Iterable[str]) -> Iterator[str | Fold]:
    """Count the frames of libraries, with the source below each; every other line stays."""
    indent = -1
    for line in lines:
        found = _FRAME.match(line)
        if found is not None:
            indent = len(found.group("indent"))
        elif not line.strip() or len(line) - len(line.lstrip()) <= indent:
            indent = -1
        yield line if indent < 0 else Fold([line], "line of a library's frame", known=True)
