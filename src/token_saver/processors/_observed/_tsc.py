"""The TypeScript compiler: plain, and pretty with its frames and totals."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.findings import Finding
from token_saver.text.located import located
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_OTHER_RUNS = ("--watch", "-w", "--listFiles", "--listFilesOnly", "--showConfig", "--traceResolution", "--explainFiles")
_PLAIN = rx(r"(?P<path>[^\s(][^(\n]*)\((?P<line>\d+,\d+)\): ?(?P<rest>(?:error|warning|message) .*)")
_PRETTY = rx(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d+:\d+) - (?P<rest>(?:error|warning|message) .*)")
_NOWHERE = rx(r"error (?P<code>TS\d+): (?P<text>.*)")
_TOTALS = rx(r"Found (\d+) errors?\b")


def observe(capture: Capture) -> Snapshot | None:
    """Return what the compiler reported.

    The pretty form ends with a total. The plain one has none: there the status has to agree with what was reported.
    """
    if capture.command.program not in ("tsc", "vue-tsc", "tsgo") or capture.command.has(*_OTHER_RUNS) or not is_whole(capture):
        return None
    lines = capture.lines
    pretty = any(map(_PRETTY.match, lines))
    gathered = Gathered()
    for item in located(lines, head=_PRETTY if pretty else _PLAIN):
        found = _NOWHERE.match(item) if isinstance(item, str) else None
        if found is not None:
            gathered.finding(Finding([str(item)], rule=found.group("code"), text=found.group("text")))
        else:
            gathered.items([item], _TOTALS)
    return gathered.snapshot("tsc") if _agrees(gathered, capture, pretty) else None


def _agrees(gathered: Gathered, capture: Capture, pretty: bool) -> bool:
    if pretty:
        totals = [found for line in gathered.totals if (found := _TOTALS.match(line))]
        return len(totals) == 1 and int(totals[0].group(1)) == len(gathered.diagnostics)
    return capture.exit_code is not None and capture.failed == bool(gathered.diagnostics)
