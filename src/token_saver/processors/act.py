"""act: GitHub workflows on this machine; every line carries the job's name."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

# [workflow/job] mark said; what a step prints follows a bar.
_LINE = rx(r"\[(?P<job>[^\]\n]*/[^\]\n]*)\] *(?P<said>.*)$")
_ROUTINE = rx(
    r"(?:🚀|🐳|☁|⚙|🧪|❓|💬|🔧)|\s*(?:Cleaning up|Start image|docker (?:pull|create|run|cp|exec|volume))"
    r"|::(?:set-env|add-path|set-output|debug)"
)


class ActProcessor(Family):
    """Each step and its verdict, what it printed as far as there is room; containers and set-up are counted."""

    name = "act"
    priority = 26
    commands = ("act",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return _jobs(capture.lines)


def _jobs(lines: Sequence[str]) -> Iterator[Piece]:
    """Name a job where another one spoke before; the rest of its lines go without the name."""
    before = ""
    for piece in reduce(lines):
        if not isinstance(piece, str):
            yield piece
            continue
        found = _LINE.match(piece)
        if found is None:
            before = ""
            yield piece
        elif _ROUTINE.match(found.group("said")):
            yield Fold([piece], "line of containers", known=True)
        else:
            job, said = found.group("job"), found.group("said")
            yield Recast(said if job == before else f"[{job.strip()}] {said}", [piece])
            before = job
