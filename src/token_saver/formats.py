"""Does a text parse as the format it claims to be? Off the hot path; used by evaluation."""

from __future__ import annotations

import csv
import json
import re
from typing import TYPE_CHECKING

from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


def is_valid(text: str, name: str) -> bool:
    """Tell whether *text* parses as *name*: json, ndjson, xml, yaml, csv or patch.

    Raises ``InputError`` for a format that is not known here, and for yaml where PyYAML is not installed.
    """
    if name not in _CHECKS:
        raise InputError(f"{name!r} is no format that can be checked; these can: {', '.join(_CHECKS)}")
    return _CHECKS[name](text)


def _json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _ndjson(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(map(_json, lines))


def _xml(text: str) -> bool:
    from xml.etree import ElementTree

    try:
        ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError):
        return False
    return True


def _yaml(text: str) -> bool:
    try:
        import yaml
    except ImportError as error:
        raise InputError("valid_as = yaml needs PyYAML: install token-saver[yaml]") from error
    try:
        for _ in yaml.parse(text, Loader=yaml.SafeLoader):
            pass
    except yaml.YAMLError:
        return False
    return True


def _csv(text: str) -> bool:
    """One width for all rows, and more than one column."""
    try:
        widths = {len(row) for row in csv.reader(text.splitlines(), strict=True) if row}
    except csv.Error:
        return False
    return len(widths) == 1 and widths.pop() > 1


def _patch(text: str) -> bool:
    """Unified diff whose hunks hold as many lines as their headings say (POSIX ``diff -u``)."""
    hunks = old = new = 0
    for line in text.splitlines():
        if old or new:
            old -= line[:1] in (" ", "-", "")
            new -= line[:1] in (" ", "+", "")
            if line[:1] not in (" ", "-", "+", "", "\\") or old < 0 or new < 0:
                return False
            continue
        found = _HUNK.match(line)
        if found is not None:
            hunks += 1
            old, new = (1 if count is None else int(count) for count in found.groups())
    return hunks > 0 and old == new == 0


_CHECKS: dict[str, Callable[[str], bool]] = {
    "json": _json,
    "ndjson": _ndjson,
    "xml": _xml,
    "yaml": _yaml,
    "csv": _csv,
    "patch": _patch,
}
