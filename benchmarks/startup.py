"""What a hook's decision and a wrapped command cost, in starts of a bare interpreter (CPU time)."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import tempfile
from argparse import Namespace

from benchmarks.places import Place
from benchmarks.processes import BARE, ENTRY, HOOK, OPTIONS, Process, ratios

TARGETS = {
    "hook: wrap": 1.0,
    "hook: not ours": 0.9,
    "hook of Claude Code: wrap": 1.0,
    "hook: a chain, read closely": 3.3,
    "run: true": 0.9,
    "run: ls -la": 1.2,
    "run: git status": 1.2,
    "run: git log -5": 1.2,
    "run: exactly": 0.9,
}
CHAIN = "cd sub && git log -5 | head -20; for i in 1 2; do git status; done"
CROWD = 300
TOLERANCE = 1.3
"""How far beyond its target a median is an error and no noise."""


def run(options: Namespace) -> int:
    """Print the ratios in a clean environment and in a crowded one; return how many targets are missed by far."""
    with tempfile.TemporaryDirectory() as folder:
        clean = Place(pathlib.Path(folder) / "clean")
        crowded = Place(pathlib.Path(folder) / "crowded", CROWD)
        missed = _measured("a clean environment", clean, clean, options.rounds)
        return missed + _measured(f"{CROWD} other distributions", crowded, clean, options.rounds)


def _measured(title: str, place: Place, yardstick: Place, rounds: int) -> int:
    with contextlib.chdir(place.repository):
        found = ratios(_processes(place, yardstick), place.environ, rounds)
    print(f"{title}: CPU time in starts of a bare interpreter ({found[BARE].seconds * 1000:.1f} ms), median, min..max")
    missed = 0
    for name, ratio in found.items():
        target = TARGETS.get(name)
        verdict = "" if target is None else f"target {target:.1f}  {_verdict(ratio.median, target)}"
        missed += verdict.endswith("MISSED")
        print(f"  {name:30} {ratio.median:5.2f}  {ratio.least:5.2f}..{ratio.most:.2f}  {ratio.seconds * 1000:6.1f} ms  {verdict}")
    return missed


def _verdict(median: float, target: float) -> str:
    return "met" if median <= target else "near" if median <= TOLERANCE * target else "MISSED"


def _processes(place: Place, yardstick: Place) -> dict[str, Process]:
    start = [place.python, *OPTIONS]
    hook = [*start, HOOK]
    wrapped = [*start, ENTRY, "run", "--"]
    commands = {"true": ["true"], "ls -la": ["ls", "-la"], "git status": ["git", "status"], "git log -5": ["git", "log", "-5"]}
    alone = {name: Process([str(shutil.which(words[0])), *words[1:]]) for name, words in commands.items()}
    return {
        BARE: Process([yardstick.python, "-c", "pass"]),
        "isolated interpreter": Process([*start, "-c", "pass"]),
        "hook: wrap": Process(hook, place.event("git status")),
        "hook: not ours": Process(hook, place.event("mkdir -p out && echo hello > out/note")),
        "hook: a chain, read closely": Process(hook, place.event(CHAIN)),
        "hook of Claude Code: wrap": Process([*start, ENTRY, "hook", "claude", "wrap"], place.event("git status")),
        "run: exactly": Process([*start, ENTRY, "raw", "--", "true"], less="true"),
        **alone,
        **{f"run: {name}": Process([*wrapped, *words], less=name) for name, words in commands.items()},
    }
