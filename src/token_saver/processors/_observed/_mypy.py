"""mypy: errors with their notes, and the sentence at the end that counts them."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_FOUND = rx(r"Found (\d+) errors? in \d+ files? \(")
_TOTALS = rx(r"Found \d+ errors? in \d+ files? \(|Success: ")
_ERROR = rx(r"[^\n]*?(?::\d+){0,4}: error: ")


def observe(capture: Capture) -> Snapshot | None:
    """Return what mypy reported; its total has to be the number of errors. A note at another place is a finding of its own."""
    if capture.command.program not in ("mypy", "dmypy") or not is_whole(capture):
        return None
    gathered = Gathered().items(located(capture.lines), _TOTALS)
    total = next((int(found.group(1)) for line in gathered.totals if (found := _FOUND.match(line))), 0)
    errors = sum(1 for one in gathered.diagnostics for line in one.detail.split("\n") if _ERROR.match(line))
    return gathered.snapshot("mypy") if gathered.totals and total == errors else None
