"""The full masked outputs behind results that leave something out, compressed, each under a short number.

A payload is the output as bytes through zlib; ``about`` is a JSON object with ``command`` (masked), ``family``, ``lines`` and
``chars``.
"""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any

from token_saver.errors import StoreError
from token_saver.kept import Bounds, Kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from token_saver.kept import Record

FILE = "recall.sqlite3"
_LEVEL = 6
_MOST_COMMAND = 500


def opened(settings: Mapping[str, Any], folder: str) -> Kept:
    """Return the store of kept outputs in *folder*, within the bounds that the settings name."""
    most = settings["recall_max_bytes"]
    return Kept(
        f"{folder}/{FILE}", Bounds(settings["recall_retention_hours"] * 3600.0, settings["recall_max_outputs"], most, most)
    )


def keep(kept: Kept, text: str, *, command: str, family: str) -> int:
    """Keep the masked *text* that the masked *command* printed and return its number; raises StoreError."""
    about = {"command": command[:_MOST_COMMAND], "family": family, "lines": count_lines(text), "chars": len(text)}
    return kept.add("", zlib.compress(text.encode("utf-8", "surrogateescape"), _LEVEL), json.dumps(about))


def restored(record: Record) -> str:
    """Return the output that *record* keeps; raises StoreError when it is damaged."""
    try:
        return zlib.decompress(record.payload).decode("utf-8", "surrogateescape")
    except zlib.error as error:
        raise StoreError(f"the kept output {record.number} is damaged") from error


def described(record: Record) -> dict[str, Any]:
    """Return what is known of a kept output; raises StoreError when it is damaged."""
    try:
        about = json.loads(record.about)
        return {
            "id": record.number,
            "made": record.made,
            "bytes": len(record.payload),
            **{key: about[key] for key in ("command", "family", "lines", "chars")},
        }
    except (ValueError, KeyError, TypeError) as error:
        raise StoreError(f"what is said of the kept output {record.number} is damaged") from error


def count_lines(text: str) -> int:
    """Return how many lines *text* has, a last one without a line end too."""
    return text.count("\n") + (not text.endswith("\n") and text != "")
