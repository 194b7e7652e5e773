"""What is left of recorded outputs and what survives in it, by size, beside the plainest rival: first 50 and last 50 lines."""

from __future__ import annotations

from argparse import Namespace

from tests.recorded import Recorded, own_cases, shared_captures

from token_saver.engine import CompressionEngine
from token_saver.plugins import builtin_processors
from token_saver.settings_keys import KEYS

LINES = 50
SIZES = ((300, "below 300"), (2_000, "300 to 2k"), (10_000, "2k to 10k"), (10**12, "beyond 10k"))


def run(options: Namespace) -> int:
    """Print both for our own recordings and for the shared ones where they are."""
    engine = CompressionEngine(builtin_processors(), {name: key.default for name, key in KEYS.items()})
    for title, cases in (("own recordings", own_cases()), ("shared captures", shared_captures("captures"))):
        if cases:
            print(
                f"{title}: tokens (characters / 4), captures, left % and recall %: ours, then first {LINES} + last {LINES} lines"
            )
            _printed(engine, cases)
    return 0


def first_and_last(text: str) -> str:
    """Return the first and the last lines of *text*."""
    lines = text.splitlines(keepends=True)
    return text if len(lines) <= 2 * LINES else "".join([*lines[:LINES], "...\n", *lines[-LINES:]])


def _printed(engine: CompressionEngine, cases: list[Recorded]) -> None:
    before = 0
    for most, name in SIZES:
        chosen = [case for case in cases if before <= len(case.text) / 4 < most]
        before = most
        ours = [engine.run(case.command, case.text, case.exit_code).output for case in chosen]
        rival = [first_and_last(case.text) for case in chosen]
        if chosen:
            print(f"  {name:10} {len(chosen):4}   {_figures(chosen, ours)}   {_figures(chosen, rival)}")


def _figures(cases: list[Recorded], results: list[str]) -> str:
    must = sum(len([string for string in case.must_survive if string in case.text]) for case in cases)
    lost = sum(len(case.lost(result)) for case, result in zip(cases, results, strict=True))
    left = 100 * sum(map(len, results)) / max(1, sum(len(case.text) for case in cases))
    return f"{left:5.1f} {100 * (1 - lost / max(must, 1)):6.2f}"
