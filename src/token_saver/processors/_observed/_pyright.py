"""pyright and basedpyright as text."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.findings import Finding
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.findings import Item

_TOTALS = rx(r"(\d+) errors?, (\d+) warnings?, (\d+) (?:informations?|notes?)\s*$")
_LEVEL = rx(r"[^\n]*? - (?P<level>error|warning|information): ")


def observe(capture: Capture) -> Snapshot | None:
    """Return what pyright reported; its totals have to be the number of findings."""
    if capture.command.has("--outputjson", "--watch", "-w", "--stats", "--verifytypes") or not is_whole(capture):
        return None
    gathered = Gathered()
    for item in _without_headings(located(capture.lines)):
        level = _LEVEL.match(item.lines[0]) if isinstance(item, Finding) else None
        if isinstance(item, Finding) and level is not None:
            gathered.finding(item, rule=item.rule or level.group("level"))
        else:
            gathered.items([item], _TOTALS)
    totals = [found for line in gathered.totals if (found := _TOTALS.match(line))]
    counted = [int(number) for found in totals for number in found.groups()]
    return gathered.snapshot("pyright") if len(totals) == 1 and sum(counted) == len(gathered.diagnostics) else None


def _without_headings(items: list[Item]) -> list[Item]:
    """Leave out the headings: each finding below one names the file again."""
    paths = {item.path for item in items if isinstance(item, Finding)}
    return [item for item in items if item not in paths]
