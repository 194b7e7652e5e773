"""A ratchet over a replay: what was once reached is held, and what was gained is recorded.

A baseline is JSON, one case a line, with sizes and counts alone. A case may not have more tokens than it has there; one that
has fewer, by more than a tolerance, fails until the gain is recorded, so that the next loss is seen. Nothing is recorded for a
case that lost what had to survive, and a case that requires less than it did fails too: both make a result shorter for nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from token_saver.errors import InputError
from token_saver.replay.files import replace
from token_saver.replay.totals import lost, required

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Mapping

SCHEMA_VERSION = 1
MAX_BYTES = 100_000_000
DEFAULT_TOLERANCE = 1.0
"""Percent of a case's tokens that may be gained without being recorded."""

WORSE = "baseline:worse"
GAINED = "baseline:gain_not_recorded"
UNKNOWN = "baseline:not_recorded"
CHANGED = "baseline:other_capture"
WEAKER = "baseline:requires_less"
GONE = "baseline:case_gone"

Count = Annotated[int, msgspec.Meta(ge=0)]


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was reached for one case."""

    original_chars: Count
    compressed_tokens: Count
    required: Count


class Baseline(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was reached, counted by the tokenizer of that name."""

    schema_version: Annotated[int, msgspec.Meta(ge=SCHEMA_VERSION, le=SCHEMA_VERSION)]
    token_method: str
    cases: dict[str, Entry]


def read(path: pathlib.Path) -> Baseline:
    """Read a baseline; raises ``InputError`` with the place and the reason."""
    try:
        with open(path, "rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; --update-baseline writes one") from error
    if len(raw) > MAX_BYTES:
        raise InputError(f"{path}: larger than {MAX_BYTES:,} bytes")
    try:
        return msgspec.json.decode(raw, type=Baseline)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path}: {error}") from error


class Ratchet:
    """Compares case after case with a baseline."""

    def __init__(self, baseline: Baseline, tolerance: float = DEFAULT_TOLERANCE) -> None:
        self._baseline = baseline
        self._waiting = set(baseline.cases)
        self._tolerance = tolerance

    def violations(self, case: Mapping[str, Any]) -> list[str]:
        """Return identifiers for how *case* differs from the baseline.

        Raises ``InputError`` when the two were counted in different ways.
        """
        method = case["token_estimate"]["method"]
        if method != self._baseline.token_method:
            raise InputError(f"the baseline was counted by {self._baseline.token_method}, this replay by {method}")
        entry = self._baseline.cases.get(case["name"])
        self._waiting.discard(case["name"])
        if entry is None:
            return [UNKNOWN]
        if entry.original_chars != case["original_chars"]:
            return [CHANGED]
        return self._against(entry, case)

    def gone(self) -> list[str]:
        """Return an identifier when cases of the baseline did not come; asked at the end."""
        return [f"{GONE}:{len(self._waiting)}"] if self._waiting else []

    def _against(self, entry: Entry, case: Mapping[str, Any]) -> list[str]:
        found = [WEAKER] if required(case) < entry.required else []
        tokens = case["compressed_tokens"]
        if tokens > entry.compressed_tokens:
            found.append(WORSE)
        elif tokens < entry.compressed_tokens * (1 - self._tolerance / 100):
            found.append(GAINED)
        return found


class Recorder:
    """Gathers a new baseline."""

    def __init__(self) -> None:
        self._cases: dict[str, Entry] = {}
        self._method = ""
        self.refused = 0

    def add(self, case: Mapping[str, Any]) -> None:
        """Take one case; one that lost what had to survive is counted as refused."""
        self.refused += lost(case) > 0
        self._method = case["token_estimate"]["method"]
        self._cases[case["name"]] = Entry(case["original_chars"], case["compressed_tokens"], required(case))

    def write(self, path: pathlib.Path) -> None:
        """Replace *path* by what was gathered, sorted by name; raises ``InputError`` when a case was refused."""
        if self.refused:
            raise InputError(f"{path}: not written: {self.refused} cases lost what had to survive")
        rows = ",\n".join(
            f"    {msgspec.json.encode(name).decode()}: {msgspec.json.encode(entry).decode()}"
            for name, entry in sorted(self._cases.items())
        )
        head = f'"schema_version": {SCHEMA_VERSION},\n  "token_method": {msgspec.json.encode(self._method).decode()}'
        replace(path, f'{{\n  {head},\n  "cases": {{\n{rows}\n  }}\n}}\n'.encode())
