"""How many instructions a hook's decision and a wrapped command take, counted by callgrind: no noise, and slow."""

from __future__ import annotations

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from argparse import Namespace

from benchmarks.places import Place
from benchmarks.processes import BARE, ENTRY, HOOK, OPTIONS

LIMITS = {"hook: wrap": 0.8, "hook: not ours": 0.8, "run: passing through": 0.8, "run: a known family": 1.55}
TOLERANCE = 1.03
"""Counts repeat within a third of a hundredth, so a limit is what we have, and what is beyond it is a change of ours."""


def run(options: Namespace) -> int:
    """Print the counts as ratios to a bare interpreter; return how many are beyond their limit."""
    if shutil.which("valgrind") is None:
        print("valgrind is not here, so instructions are not counted")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder) / "place")
        with contextlib.chdir(place.repository):
            bare, counts = _counts(place)
    print(f"{BARE}: {bare / 1e6:.1f} million instructions")
    return sum(_printed(name, count / bare) for name, count in counts.items())


def _counts(place: Place) -> tuple[int, dict[str, int]]:
    start = [place.python, *OPTIONS]
    wrapped = [*start, ENTRY, "run", "--"]
    return _counted([place.python, "-c", "pass"], place), {
        "isolated interpreter": _counted([*start, "-c", "pass"], place),
        "hook: wrap": _counted([*start, HOOK], place, place.event("git status")),
        "hook: not ours": _counted([*start, HOOK], place, place.event("echo hello")),
        "run: passing through": _counted([*wrapped, "true"], place),
        "run: a known family": _counted([*wrapped, "git", "log", "-5"], place),
    }


def _counted(argv: list[str], place: Place, stdin: str = os.devnull) -> int:
    with open(stdin, "rb") as event:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv],
            stdin=event,
            capture_output=True,
            env={**place.environ, "PYTHONHASHSEED": "0"},
            check=True,
        )
    found = re.search(rb"Collected : (\d+)", done.stderr)
    assert found, "callgrind has not told its count"
    return int(found[1])


def _printed(name: str, ratio: float) -> bool:
    limit = LIMITS.get(name)
    over = limit is not None and ratio > limit * TOLERANCE
    print(f"  {name:30} {ratio:5.2f}" + (f"  limit {limit:.2f}  {'MISSED' if over else 'met'}" if limit else ""))
    return over
