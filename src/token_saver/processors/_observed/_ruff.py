"""``ruff check`` as text (full, concise, grouped) and as JSON."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.located import LOCATED, framed, headed, located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item

_OTHER_RUNS = (
    "--fix",
    "--fix-only",
    "--diff",
    "--watch",
    "-w",
    "--statistics",
    "--show-files",
    "--show-settings",
    "--output-file",
)
_FOUND = rx(r"Found (\d+) errors?\.$")
_TOTALS = rx(r"Found \d+ errors?\.$|All checks passed!$|\[\*\] \d+ (?:potentially )?fixable|No fixes available \(")


def observe(capture: Capture) -> Snapshot | None:
    """Return what Ruff reported; its total has to be the number of findings."""
    command = capture.command
    if command.subcommand != "check" or command.has(*_OTHER_RUNS) or not is_whole(capture):
        return None
    form = command.option("--output-format") or ""
    if form == "json":
        from token_saver.processors._observed._ruff_json import observe_json

        return observe_json(capture)
    if form not in ("", "full", "concise", "grouped"):
        return None
    gathered = Gathered().items(_items(capture.lines, form), _TOTALS)
    total = next((int(found.group(1)) for line in gathered.totals if (found := _FOUND.match(line))), 0)
    return gathered.snapshot("ruff") if gathered.totals and total == len(gathered.diagnostics) else None


def _items(lines: list[str], form: str) -> list[Item]:
    if form == "grouped":
        return headed(lines)
    if any(line.lstrip().startswith("-->") for line in lines):
        return framed(lines)
    return located(lines, head=LOCATED)
