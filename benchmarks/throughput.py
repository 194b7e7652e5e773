"""Megabytes a second of the engine: every family on its own recordings, repeated; the fallback on up to 64 MB."""

from __future__ import annotations

import itertools
import time
from argparse import Namespace
from collections.abc import Iterable

from tests.recorded import Recorded, own_cases, shared_captures

from benchmarks.texts import service_log, varied
from token_saver.engine import CompressionEngine
from token_saver.plugins import builtin_processors
from token_saver.processor import as_command
from token_saver.registry import Registry
from token_saver.settings_keys import KEYS

MB = 1_000_000
LEAST = 20.0
"""Megabytes a second."""
STEEPEST = 2.6
"""How many times as long twice the text may take before it is no longer linear."""


def run(options: Namespace) -> int:
    """Print the figures, the slowest first; return how many families do not grow in line with the text."""
    settings = {**{name: key.default for name, key in KEYS.items()}, "family_limit_chars": 0}
    engine = CompressionEngine(builtin_processors(), settings)
    sizes = [1 << power for power in range(7)] if options.full else [1, 2]
    texts = _texts(engine.registry)
    rows = [(name, _seconds(engine, *texts[name], sizes)) for name in sorted(texts)]
    rows.sort(key=lambda row: sizes[-1] / row[1][-1])
    missed = sum(_printed(name, sizes, seconds) for name, seconds in rows)
    print("  the fallback, on a service's log:")
    log = b"".join(service_log(64 * MB)).decode()
    whole = [1 << power for power in range(7)]
    return missed + _printed("generic", whole, _seconds(engine, "./serve", log, whole))


def _texts(registry: Registry) -> dict[str, tuple[str, str]]:
    """Return a command and what it prints for every family that there are recordings of."""
    found: dict[str, tuple[str, list[str]]] = {}
    for case in _cases():
        name = registry.select(as_command(case.command)).name
        if "\0" not in case.text and case.text.strip():
            found.setdefault(name, (case.command, []))[1].append(case.text)
    return {name: (command, "\n".join(texts)) for name, (command, texts) in found.items()}


def _cases() -> Iterable[Recorded]:
    yield from own_cases()
    yield from shared_captures("captures")


def _seconds(engine: CompressionEngine, command: str, text: str, sizes: list[int]) -> list[float]:
    found = []
    for size in sizes:
        part = varied(text, size * MB)
        started = time.process_time()
        engine.run(command, part, 0)
        found.append(time.process_time() - started)
    return found


def _printed(name: str, sizes: list[int], seconds: list[float]) -> bool:
    speeds = [size / second for size, second in zip(sizes, seconds, strict=True)]
    steepest = max(after / before for before, after in itertools.pairwise(seconds))
    remarks = ["slow"] * (speeds[-1] < LEAST) + ["not linear"] * (steepest > STEEPEST)
    figures = " ".join(f"{speed:6.1f}" for speed in speeds)
    print(f"  {name:20} {figures} MB/s on {sizes[0]}..{sizes[-1]} MB  {', '.join(remarks)}")
    return steepest > STEEPEST
