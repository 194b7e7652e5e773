"""eslint: its stylish and JSON forms (https://eslint.org/docs/latest/use/formatters/)."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered, is_whole
from token_saver.text.findings import Finding
from token_saver.text.located import headed
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture

_STYLISH = rx(r"\s+\d+:\d+\s+(?:error|warning)\s")
_TOTAL = rx(r"✖ (\d+) problems? \(")
_TOTALS = rx(r"✖ \d+ problems? \(|  \d+ errors? and \d+ warnings? potentially fixable")


def observe(capture: Capture) -> Snapshot | None:
    """Return what eslint reported; the total has to be the number of findings, and silence is a clean run only with status 0."""
    if capture.command.program not in ("eslint", "eslint_d") or not is_whole(capture):
        return None
    form = capture.command.option("-f", "--format") or "stylish"
    if form == "json":
        return _observe_json(capture)
    if form != "stylish":
        return None
    lines = capture.lines
    gathered = Gathered().items(headed([line for line in lines if not _TOTALS.match(line)]), _TOTALS)
    gathered.totals = [line for line in lines if _TOTALS.match(line)]
    total = next((int(found.group(1)) for line in gathered.totals if (found := _TOTAL.match(line))), 0)
    if total != sum(1 for line in lines if _STYLISH.match(line)) or total != len(gathered.diagnostics):
        return None
    return gathered.snapshot("eslint") if total or capture.exit_code == 0 else None


def _observe_json(capture: Capture) -> Snapshot | None:
    from token_saver.processors._observed._spans import elements, members, without

    text = capture.text
    gathered = Gathered()
    spans: list[tuple[int, int]] = []
    try:
        for report, start, _ in elements(text, text.index("[")):
            at = next(at for key, at, _ in members(text, start) if key == "messages")
            for message, begin, end in elements(text, at):
                rule = message["ruleId"] or ("syntax" if message.get("fatal") else "eslint")
                made = Finding([text[begin:end]], report["filePath"], str(message.get("line") or ""), rule, message["message"])
                gathered.finding(made, above=[f'"filePath":"{report["filePath"]}"'])
                spans.append((begin, end))
    except (ValueError, KeyError, TypeError, IndexError, StopIteration):
        return None
    gathered.context = [without(text, spans)]
    return gathered.snapshot("eslint")
