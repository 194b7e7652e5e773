"""Ruff's JSON: an array with an object for each finding (https://docs.astral.sh/ruff/settings/#output-format)."""

from __future__ import annotations

from token_saver.processors._observed._gather import Gathered
from token_saver.processors._observed._spans import elements, without
from token_saver.text.findings import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture


def observe_json(capture: Capture) -> Snapshot | None:
    """Return what stands in the array; None when it is broken."""
    text = capture.text
    gathered = Gathered()
    spans: list[tuple[int, int]] = []
    try:
        for value, start, end in elements(text, text.index("[")):
            place = f"{value['location']['row']}" if value["location"] else ""
            made = Finding([text[start:end]], value["filename"], place, value["code"] or "syntax", value["message"])
            gathered.finding(made)
            spans.append((start, end))
    except (ValueError, KeyError, TypeError, IndexError):
        return None
    gathered.context = [without(text, spans)]
    return gathered.snapshot("ruff")
