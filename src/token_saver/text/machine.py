"""Documents that programs read: a result of one must still parse."""

from __future__ import annotations

_STARTS = ("{", "[")


def broken(before: str, after: str) -> bool:
    """Tell whether *before* is one JSON document and *after*, being different, is none."""
    if before == after or before.lstrip()[:1] not in _STARTS:
        return False
    return _is_json(before) and not _is_json(after)


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
