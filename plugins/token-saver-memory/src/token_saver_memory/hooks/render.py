"""How rows look where a model reads them: what they are, from whom, how old, and what the code says of them now."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from token_saver_memory.text.clean import OWN_BLOCK
from token_saver_memory.values import tokens_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver_memory.values import Row

_DAY = 86_400.0
_STALE = {"changed": "code changed since", "missing": "its code is gone", "fresh": "", "unknown": "not checked"}


def age(row: Row, now: float | None = None) -> str:
    """Return how long ago the row was written."""
    days = int(((time.time() if now is None else now) - row.recorded_at) // _DAY)
    return "today" if days < 1 else f"{days} d ago"


def heading(row: Row) -> str:
    """Return one line: id, kind, title, and what is to be known about it."""
    return f"#{row.id} {row.type}: {row.title} [{_standing(row)}]"


def whole(row: Row, most: int = 0) -> str:
    """Return everything that the row says, cut to *most* characters where that is not 0."""
    place = " ".join(filter(None, (row.file_path, row.symbol)))
    parts = [heading(row), row.body, f"why: {row.why}" if row.why else "", f"how: {row.how}" if row.how else "", place]
    text = "\n".join(filter(None, parts))
    return text if not most or len(text) <= most else text[: most - 1] + "…"


def _standing(row: Row) -> str:
    anchored = row.symbol and row.verdict != "fresh"
    notes = [row.provenance, age(row), _STALE[row.verdict] if anchored else "", "confirmed" if row.review == "confirmed" else ""]
    return ", ".join(filter(None, [*notes, "everywhere" if row.is_global else ""]))


def block(heading_line: str, texts: Sequence[str]) -> str:
    """Return what is put before the model, in the tags by which it is known again and never learnt from."""
    return "\n".join([f"<{OWN_BLOCK}>", heading_line, *texts, f"</{OWN_BLOCK}>"])


def cost(text: str) -> int:
    """Return about how many tokens a text costs."""
    return tokens_of(text)
