"""Stack traces of Go: a function and the place below it, goroutine by goroutine."""

from __future__ import annotations

from token_saver.text import Fold, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

GOROUTINES = 2
FRAMES = 8

TRACE = rx(r"(?:panic: |fatal error: |goroutine \d+ (?:gp=\S+ .*)?\[|SIG[A-Z]+: |\[signal )")
_GOROUTINE = rx(r"goroutine \d+ (?:gp=\S+ .*)?\[(?P<state>[^\]]*)\]")
_LIBRARY = rx(
    r".*(?:/go[-\w.]*/src/|/src/(?:runtime|testing|reflect|sync|net|internal)/|/pkg/mod/|/usr/lib/go|/usr/local/go|_testmain\.go)"
)
_RUNTIME = rx(r"\s*(?:created by )?(?:testing|runtime|reflect|sync|net/http|internal|panic)[.(/]")


def is_library(function: str, place: str) -> bool:
    """Tell whether a frame is the runtime's, the standard library's or a dependency's."""
    return _RUNTIME.match(function) is not None or _LIBRARY.match(place) is not None


def frames(block: Sequence[str]) -> Iterator[Piece]:
    """Keep the message, the running goroutine's own frames and the first of the others; the rest is counted.

    The deepest place is kept even when it is a library's and nothing else is there.
    """
    seen = 0
    own = 0
    index = 0
    while index < len(block):
        line = block[index]
        place = block[index + 1] if index + 1 < len(block) else ""
        if _GOROUTINE.match(line):
            seen += 1
            own = 0
            yield line if seen <= GOROUTINES else Fold([line], "goroutine", known=True, told=True)
            index += 1
        elif place.startswith("\t"):
            if seen > GOROUTINES or own >= FRAMES or is_library(line, place):
                yield Fold([line, place], "line of frames", known=True, told=True)
            else:
                own += 1
                yield line
                yield place
            index += 2
        else:
            yield line
            index += 1
