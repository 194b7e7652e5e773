"""What recording adds to a wrapped command, in starts of a bare interpreter, and how long a million records take to answer."""

from __future__ import annotations

import pathlib
import random
import statistics
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from benchmarks.places import Place
from benchmarks.processes import BARE, ENTRY, OPTIONS, Process, ratios, used
from token_saver.telemetry import spool
from token_saver.telemetry.tracker import Tracker

ADDED_TARGET = 0.1
"""Starts of a bare interpreter that recording may add."""
STATS_TARGET = 1.0
"""Seconds of CPU time, start-up included, in which ``token-saver stats`` answers from a million records."""
TOLERANCE = 1.3
_RECORDS = 1_000_000
_BATCH = 50_000
_DAYS = 80
_SECOND = 1_000_000_000
_SETTINGS = {"chars_per_token": 4.0, "db_prune_days": 3650}
_COMMANDS = (
    ("git", "git log"),
    ("git", "git diff"),
    ("pytest", "pytest"),
    ("npm", "npm test"),
    ("file_listing", "ls"),
    ("search", "rg"),
    ("cargo", "cargo test"),
    ("generic", "make"),
    ("none", "echo"),
    ("docker", "docker ps"),
)


def run(options: Namespace) -> int:
    """Print both figures; return how many targets are missed by far."""
    with tempfile.TemporaryDirectory() as folder:
        return _added(pathlib.Path(folder), options.rounds) + _answered(pathlib.Path(folder) / "million", options.rounds)


def _added(folder: pathlib.Path, rounds: int) -> int:
    recorded, silent = Place(folder / "recorded"), Place(folder / "silent")
    settings = folder / "silent/home/.config/token-saver/config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("telemetry_enabled = false\n")
    processes = {BARE: Process([recorded.python, "-c", "pass"])}
    for name, words in {"echo hello": ["echo", "hello"], "git log -5": ["git", "log", "-5"]}.items():
        for title, place in (("recorded", recorded), ("silent", silent)):
            start = ["/usr/bin/env", f"HOME={place.environ['HOME']}", place.python, *OPTIONS, ENTRY, "run", "--"]
            processes[f"{name}, {title}"] = Process(["/usr/bin/env", "-C", str(recorded.repository), *start[1:], *words])
    found = ratios(processes, recorded.environ, rounds)
    missed = 0
    for name in ("echo hello", "git log -5"):
        with_it, without = found[f"{name}, recorded"], found[f"{name}, silent"]
        added = with_it.median - without.median
        figures = f"{without.median:5.2f} starts without, {with_it.median:5.2f} with recording: {added:+.3f}"
        print(f"  {name:30} {figures}  target {ADDED_TARGET}  {'met' if added <= ADDED_TARGET else 'MISSED'}")
        missed += added > TOLERANCE * ADDED_TARGET
    return missed


def _answered(folder: pathlib.Path, rounds: int) -> int:
    tracker = Tracker(str(folder), _SETTINGS)
    for batch in _batches():
        tracker.add(batch)
    place = Place(folder / "place")
    environ = {**place.environ, "TOKEN_SAVER_DATA_DIR": str(folder)}
    code = "import sys; from token_saver.cli import main; sys.exit(main(['stats', *sys.argv[1:]]))"
    missed = 0
    for name, words in {"stats": [], "stats --json --session": ["--json", "--session", "s200"]}.items():
        process = Process([place.python, "-c", code, *words])
        used(process, environ)
        seconds = statistics.median(used(process, environ).cpu for _ in range(min(rounds, 5)))
        verdict = "met" if seconds <= STATS_TARGET else "MISSED"
        print(f"  {name:30} {seconds:5.2f} s of CPU time for {_RECORDS:,} records  target {STATS_TARGET} s  {verdict}")
        missed += seconds > TOLERANCE * STATS_TARGET
    return missed


def _batches() -> Iterator[list[spool.Record]]:
    dice = random.Random(1)
    first = time.time_ns() - _DAYS * 86_400 * _SECOND
    step = _DAYS * 86_400 * _SECOND // _RECORDS
    for start in range(0, _RECORDS, _BATCH):
        yield [_record(dice, first + number * step, number) for number in range(start, start + _BATCH)]


def _record(dice: random.Random, at: int, number: int) -> spool.Record:
    processor, command = dice.choice(_COMMANDS)
    original = int(dice.expovariate(1 / 4000)) + 3
    fields: dict[str, Any] = {
        "session": f"s{number * 400 // _RECORDS}",
        "host": dice.choice(["claude", "gemini"]),
        "mode": "wrap",
        "folder": f"/home/dev/project{dice.randrange(6)}",
        "processor": processor,
        "command": command,
        "check": dice.randrange(65_521),
        "status": dice.choice([0, 0, 1]),
        "original": original,
        "shown": original if dice.random() < 0.4 else int(original * dice.uniform(0.1, 1)),
        "millis": dice.randrange(3_000),
    }
    return spool.Record(spool.RUN, at, **fields)
