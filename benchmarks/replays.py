"""A replay of many cases: by one process, by two, and by a cluster of two workers of which one is killed half-way.

The three reports have to be the same to the byte. Printed are the seconds and the peak resident memory of the process that
reads the manifest and writes the report, and of each process that it started.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from token_saver.replay import manifest

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

CASES = 10_000
A_FILE = 1_000
MOST_MEGABYTES = 200
BUNDLE = pathlib.Path(__file__).resolve().parent.parent / "replay" / "manifest.json"
_TICK = 0.1


class Replayed(NamedTuple):
    """The report, the seconds until it was there, and the peak megabytes of each process."""

    report: bytes
    seconds: float
    peaks: list[float]


def run(options: Namespace) -> int:
    """Print the three ways; return how many targets were missed."""
    with tempfile.TemporaryDirectory() as place:
        path = make(pathlib.Path(place), CASES)
        ways: list[tuple[str, Callable[[], Replayed]]] = [
            ("one process", lambda: replay(path)),
            ("two processes", lambda: replay(path, "--jobs", "2")),
            ("two workers, one killed half-way", lambda: on_cluster(path, made[0].seconds)),
        ]
        made: list[Replayed] = []
        for name, way in ways:
            made.append(way())
            peaks = " + ".join(f"{peak:.0f}" for peak in made[-1].peaks)
            print(f"  {name:34} {CASES:,} cases in {made[-1].seconds:6.1f} s, peak {peaks} MB", flush=True)
    same = all(one.report == made[0].report for one in made) and json.loads(made[0].report)["totals"]["cases"] == CASES
    small = all(sum(one.peaks) < MOST_MEGABYTES for one in made)
    print(
        f"  reports are {'the same' if same else 'NOT THE SAME'}; memory is {'below' if small else 'ABOVE'} {MOST_MEGABYTES} MB"
    )
    return (not same) + (not small)


def make(place: pathlib.Path, count: int) -> pathlib.Path:
    """Write a manifest of *count* cases over the bundled captures; return its path."""
    shutil.copytree(BUNDLE.parent, place / "captures", ignore=shutil.ignore_patterns("manifest.json"))
    known = list(manifest.cases(BUNDLE))
    includes = []
    for start in range(0, count, A_FILE):
        cases = [
            {**msgspec.to_builtins(case), "name": f"{case.name} {number}", "input": f"captures/{case.input}"}
            for number in range(start, min(start + A_FILE, count))
            for case in [known[number % len(known)]]
        ]
        includes.append(f"part-{start}.json")
        (place / includes[-1]).write_text(json.dumps({"schema_version": 1, "cases": cases}))
    path = place / "manifest.json"
    path.write_text(json.dumps({"schema_version": 1, "includes": includes}))
    return path


def replay(path: pathlib.Path, *more: str) -> Replayed:
    """Replay in a process of its own and watch its memory."""
    command = [sys.executable, "-m", "token_saver", "replay", str(path), "--format", "json", *more]
    start = time.perf_counter()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out)
        peaks: dict[int, float] = {}
        while child.poll() is None:
            for pid in family(child.pid):
                peaks[pid] = max(peaks.get(pid, 0.0), megabytes(pid))
            time.sleep(_TICK)
        seconds = time.perf_counter() - start
        out.seek(0)
        return Replayed(out.read(), seconds, list(peaks.values()))


def on_cluster(path: pathlib.Path, alone: float) -> Replayed:
    """Replay on a cluster of this machine; kill a worker after about half of the time that two workers need."""
    distributed = importlib.import_module("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        victim = next(iter(cluster.workers.values())).pid
        timer = threading.Timer(alone / 4, os.kill, (victim, signal.SIGKILL))
        timer.start()
        made = replay(path, "--scheduler", cluster.scheduler_address)
        killed = not timer.is_alive()
        timer.cancel()
    if not killed:
        print("  the replay was over before a worker was killed")
    return made


def family(pid: int) -> Iterator[int]:
    """Yield *pid* and what it started and that started, where the system tells."""
    yield pid
    with contextlib.suppress(OSError):
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from family(int(child))


def megabytes(pid: int) -> float:
    """Return the peak resident memory of *pid*; 0 when it is gone."""
    with contextlib.suppress(OSError):
        for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1000
    return 0.0
