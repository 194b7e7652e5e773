"""What an output would be if lines were put above all that it reports on."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.recorded import Recorded

# A place as each tool writes it; the group is the line.
_PLACES = (
    r"(?<=\.py:)(\d+)(?=[:\s]|$)",
    r"(?<=\.(?:js|ts|go|rs|rb)[:(])(\d+)(?=[:,)\s]|$)",
    r"(?<=\.(?:mjs|php|cpp|hpp|tsx):)(\d+)(?=[:\s)]|$)",
    r"(?<=\.[ch]:)(\d+)(?=[:,]|$)",
    r"(?<=\", line )(\d+)",
    r"(?m)(?<=^  )(\d+)(?=:\d+ +(?:error|warning) )",
    r"(?m)^(?:[ \t]*[>❯]?[ \t]*)(\d+)(?= ?[|│])",
    r"(?m)^(\d+)(?= [-+] )",
    r"(?<=already defined on line )(\d+)",
)
_FIELDS = ("row", "line", "endLine", "noqa_row")


def shifted(case: Recorded, by: int) -> str:
    """Return the text of *case* with every line of a source *by* further down; a gutter grows with its numbers."""
    if case.name == "ruff/json":
        return json.dumps(_shifted_document(json.loads(case.text), by), indent=2)
    if case.name == "eslint/json":
        return json.dumps(_shifted_document(json.loads(case.text), by), separators=(",", ":"))
    text = case.text
    for place in _PLACES:
        text = re.sub(place, lambda found: _moved(found, by), text)
    return text


def _moved(found: re.Match[str], by: int) -> str:
    start, end = found.start(1) - found.start(), found.end(1) - found.start()
    whole = found.group(0)
    return f"{whole[:start]}{int(found.group(1)) + by}{whole[end:]}"


def _shifted_document(value: object, by: int) -> object:
    if isinstance(value, dict):
        return {
            key: inner + by if key in _FIELDS and isinstance(inner, int) else _shifted_document(inner, by)
            for key, inner in value.items()
        }
    return [_shifted_document(inner, by) for inner in value] if isinstance(value, list) else value
