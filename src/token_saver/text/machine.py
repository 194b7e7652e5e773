"""Documents that programs read: a result of one must still parse."""

from __future__ import annotations

_STARTS = ("{", "[")


def broken(before: str, after: str) -> bool:
    """Tell whether *before* is one JSON document and *after*, being different, is none."""
    if before == after or before.lstrip()[:1] not in _STARTS:
        return False
    return _is_json(before) and not _is_json(after)


def is_one_document(text: str) -> bool:
    """Tell whether *text* looks like a single JSON document, and not like one record a line."""
    if text[:1] not in _STARTS or text.rstrip()[-1:] not in ("}", "]"):
        return False
    first = text[: text.find("\n")] if "\n" in text.rstrip() else ""
    return first.rstrip()[-1:] not in ("}", "]")


def _is_json(text: str) -> bool:
    import json

    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
