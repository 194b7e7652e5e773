"""Stack traces in any output: the message and the user's own frames stay, runs of a library's frames are counted.

The frames are those of Python (``File "…", line …``), Node (``at f (node:…)``), the JVM and .NET (``at a.b.C``), Go (a
function above its tab-indented place), Rust (numbered, a place below it) and Ruby (``from …/gems/…``), as their runtimes
print them. A sanitizer's picture of shadow memory goes too, and what stands around the line in the boxes of Rich.
"""

from __future__ import annotations

from token_saver.text.pieces import Fold
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.pieces import Piece

LEAST = 2
NOUN = "line of library frames"

_LIBRARY = rx(
    r"\s+File \"[^\"]*(?:/site-packages/|/dist-packages/|/lib/python\d|<frozen )"
    r"|\s+at [^(]*\((?:node:|internal/)|\s+at (?:node:|internal/)|\s+at .*/node_modules/"
    r"|\s+at (?:java|javax|jakarta|jdk|sun|kotlin|scala|org\.(?:springframework|junit|apache|hibernate|gradle|eclipse|testng)"
    r"|io\.netty|reactor|com\.(?:sun|fasterxml)|System|Microsoft)\."
    r"|\s+from \S*/(?:gems|rubygems|ruby/\d)[/\d]|\s+at /rustc/|\t\S*(?:/go/src/|/pkg/mod/)\S+:\d"
)
_NUMBERED = rx(
    r"\s+\d+:\s+(?:0x[0-9a-f]+ - )?"
    r"(?:[<&]{0,3}(?:dyn )?(?:std|core|alloc|test)(?:\[[0-9a-f]+\])?::"
    r"|__rust|rust_\w+$|_?_?start(?:_thread)?$|__libc_\w+|clone3?$|<unknown>$)"
)
_PLACE = rx(r"\s+at \S")
_BOX = rx(r"╭─+ Traceback \(most recent call last\) ─+╮\s*$")
_AROUND = rx(r"│ {1,8}\d{1,7} │|│ +│\s*$")
_BOX_END = "╰"
_PYTHON = rx(r"\s+File \"")
# What a library read of the user's settings tells where to look.
_CONSTANT = rx(r".*\b[A-Z]{3,}_[A-Z_]{3,}\b")


_SHADOW = rx(r"Shadow bytes around the buggy address:|Shadow byte legend")
_SHADOW_LINE = rx(
    r"(?:=>|  )0x[0-9a-f]+:|Shadow byte"
    r"|  (?:[A-Z]\w+|ASan internal|\w+ \w+)[\w ()/-]*: +[0-9a-f]{2}\b|  Partially addressable"
)


def fold_frames(pieces: Sequence[Piece]) -> list[Piece]:
    """Fold the middle of each run of library frames among the kept lines of *pieces*; its first and last frame stay."""
    made: list[Piece] = []
    index = 0
    while index < len(pieces):
        shadow = _shadow(pieces, index)
        if shadow:
            made.append(Fold(shadow, "line of shadow memory", known=True))
            index += len(shadow)
            continue
        if size := _box(pieces, index):
            made += _without_surroundings(pieces[index : index + size])
            index += size
            continue
        frames: list[int] = []
        end = index
        while (size := _frame(pieces, end)) > 0:
            frames.append(end)
            end += size
        if len(frames) > LEAST + 1:
            folded = [line for line in pieces[frames[1] : frames[-1]] if isinstance(line, str)]
            made += [*pieces[index : frames[1]], Fold(folded, NOUN, known=True), *pieces[frames[-1] : end]]
        else:
            end = max(end, index + 1)
            made += pieces[index:end]
        index = end
    return made


def _box(pieces: Sequence[Piece], at: int) -> int:
    """Return how many lines the box of a traceback that starts at *at* has, 0 when none does."""
    line = pieces[at]
    if not isinstance(line, str) or line[:1] != "╭" or not _BOX.match(line):
        return 0
    for end in range(at + 1, len(pieces)):
        piece = pieces[end]
        if not isinstance(piece, str):
            return 0
        if piece[:1] == _BOX_END:
            return end + 1 - at
        if piece[:1] != "│":
            return 0
    return 0


def _without_surroundings(box: Sequence[Piece]) -> list[Piece]:
    """Fold the source around the lines that are marked, and what is blank; names, places and local values stay."""
    made: list[Piece] = []
    around: list[str] = []
    for piece in [*box, ""]:
        if isinstance(piece, str) and _AROUND.match(piece):
            around.append(piece)
            continue
        if around:
            made.append(Fold(around, "line of surrounding source", known=True))
            around = []
        made.append(piece)
    return made[:-1]


def _shadow(pieces: Sequence[Piece], at: int) -> list[str]:
    """Return the lines of a sanitizer's picture of memory that starts at *at*."""
    line = pieces[at]
    if not isinstance(line, str) or line[:1] != "S" or not _SHADOW.match(line):
        return []
    lines = [line]
    for piece in pieces[at + 1 :]:
        if not isinstance(piece, str) or not _SHADOW_LINE.match(piece):
            break
        lines.append(piece)
    return lines


def _frame(pieces: Sequence[Piece], at: int) -> int:
    """Return how many lines the library frame at *at* has, 0 when none stands there."""
    line = pieces[at] if at < len(pieces) else None
    if not isinstance(line, str):
        return 0
    following = pieces[at + 1] if at + 1 < len(pieces) else None
    if line[:1] not in (" ", "\t"):
        is_go = isinstance(following, str) and following[:1] == "\t" and line[-1:] == ")"
        return 2 if is_go and isinstance(following, str) and _LIBRARY.match(following) else 0
    if _NUMBERED.match(line):
        return 2 if isinstance(following, str) and _PLACE.match(following) else 1
    if not _LIBRARY.match(line):
        return 0
    return _python_lines(pieces, at) if _PYTHON.match(line) else 1


def _python_lines(pieces: Sequence[Piece], at: int) -> int:
    """Return how many lines a frame has: its place and the code below it; 0 when the code names a constant."""
    head = pieces[at]
    depth = len(head) - len(head.lstrip()) if isinstance(head, str) else 0
    end = at + 1
    while end < len(pieces) and end - at < 6:
        line = pieces[end]
        if not isinstance(line, str) or not line.strip() or len(line) - len(line.lstrip()) <= depth:
            break
        if _CONSTANT.match(line):
            return 0
        end += 1
    return end - at
