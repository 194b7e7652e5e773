"""What the tests of readers share: the recordings of tools that supply diagnostics, and the account of lines."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from tests.recorded import SHARED, Recorded, own_cases

from token_saver.text.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.diagnostics import Snapshot

FAMILIES = frozenset(
    ["pytest", "unittest", "jest", "vitest", "go", "cargo", "ruff", "mypy", "pyright", "eslint", "tsc", "gcc", "rspec", "phpunit"]
)
CASES = [case for case in own_cases() if case.family in FAMILIES]
BY_NAME = {case.name: case for case in CASES}


_NUMBER = re.compile(r"^\d+\) ")
_BEGIN = re.compile(r"^(?:\[gw\d+\] \[ *\d+%\] PASSED|[✓√✔]|--- PASS:|=== \w+|test|ok) +")
_END = re.compile(
    r" +PASSED +\[ *\d+%\]$|(?: \(line \d+\))? \.\.\. ok$| \((?:[\d.]+ ?m?s|\d+ tests?)\)(?: \d+ms)?$"
    r"| \d+ms$|\s+[\d.]+s(?: \[.*\])?$|\s\(cached\)$"
)


def shared_captures() -> list[Recorded]:
    """Return the recordings of the shared folder; none where that folder is absent."""
    index = SHARED / "captures" / "index.json"
    if not index.exists():
        return []
    return [
        Recorded(f"shared/{one['name']}", one["family"], one["command"], one.get("exit_code"), index.parent / one["input"], ())
        for one in json.loads(index.read_text(encoding="utf-8"))
    ]


def printed(case: Recorded) -> str:
    """Return what *case* printed as a reader sees it; of the events of ``go test -json`` what they say was printed."""
    text = plain(case.text)[0]
    if not text.startswith('{"Time"'):
        return text
    return "".join(event.get("Output", "") for event in map(json.loads, text.splitlines()))


def strings(value: object) -> list[str]:
    """Return every string in a JSON document."""
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [found for one in inner for found in strings(one)]


def unaccounted(snapshot: Snapshot, text: str) -> list[str]:
    """Return the lines of *text* that *snapshot* holds nowhere, but for those that only repeat a passed or failed id.

    The number that a list gives to a failure may be left out, because it is not the failure's own.
    """
    details = [one.detail for one in snapshot.diagnostics]
    held = {line.strip() for part in (*details, snapshot.context, snapshot.summary) for line in part.split("\n")}
    held |= {one.location.rpartition(":")[0] for one in snapshot.diagnostics}
    missing = [line for line in _lines(text) if line not in held and _NUMBER.sub("", line) not in held]
    passed = "\n".join(["", *snapshot.passed, ""])
    told = passed.strip() or snapshot.diagnostics
    return [line for line in missing if not _is_passed(_bare(line), passed) and not (line in ("FAIL", "PASS") and told)]


def _is_passed(name: str, passed: str) -> bool:
    return any(f"{before}{name}\n" in passed for before in ("\n", " ", "."))


def _lines(text: str) -> Iterator[str]:
    for line in plain(text)[0].split("\n"):
        if line.strip():
            yield line.strip()


def _bare(line: str) -> str:
    """Return the name in a line that does no more than say that a test passed or begins."""
    return _END.sub("", _BEGIN.sub("", line))
