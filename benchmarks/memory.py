"""Peak memory and CPU time of a wrapped command that prints 1, 10 and 100 MiB, and whether rare failures are shown."""

from __future__ import annotations

import os
import pathlib
import tempfile
from argparse import Namespace

from benchmarks.places import Place
from benchmarks.processes import ENTRY, OPTIONS, Process, Usage, used
from benchmarks.texts import PLANTED, service_log

SIZES = (1, 10, 100)
MIB = 1 << 20
LINE_COUNT = "import sys\nfor line in sys.stdin.buffer: pass"
MOST_MORE_MIB = 24
MOST_LINE_COUNTS = 8
MOST_TEN_TIMES = 12


def run(options: Namespace) -> int:
    """Print the figures; return how many targets are missed."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(pathlib.Path(folder) / "place")
        found: dict[int, Usage] = {}
        counting = 0.0
        for size in SIZES:
            path = os.path.join(folder, f"{size}.log")
            with open(path, "wb") as file:
                file.writelines(service_log(size * MIB))
            found[size] = _wrapped(place, path)
            counting = used(Process([place.python, "-c", LINE_COUNT], path), place.environ).cpu
        return _printed(found, counting)


def _wrapped(place: Place, path: str) -> Usage:
    # A small process starts the wrapper: one that starts another lends it its own peak.
    script = (
        "import posix, sys\n"
        "pid = posix.posix_spawn(sys.argv[1], sys.argv[1:], posix.environ)\n"
        "_, status, usage = posix.wait4(pid, 0)\n"
        "posix.write(1, f'\\n{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}'.encode())\n"
    )
    wrapper = [place.python, *OPTIONS, ENTRY, "run", "--", "sh", "-c", f"cat {path}"]
    outer = used(Process([place.python, "-I", "-S", "-c", script, *wrapper]), place.environ)
    output, _, figures = outer.output.rpartition(b"\n")
    cpu, peak = figures.split()
    return Usage(float(cpu), int(peak) / 1024, outer.status, output)


def _printed(found: dict[int, Usage], counting: float) -> int:
    for size, usage in found.items():
        figures = f"{usage.cpu:6.2f} s, peak {usage.peak:5.1f} MiB, {len(usage.output):6} bytes shown"
        print(f"  {size:4} MiB: {figures}, {_rare(usage)} of {len(PLANTED)} rare lines")
    small, middle, large = (found[size] for size in SIZES)
    checks = (
        ("peak at 100 MiB less peak at 1 MiB, in MiB", large.peak - small.peak, MOST_MORE_MIB),
        ("100 MiB in CPU times of a line-count loop", large.cpu / counting, MOST_LINE_COUNTS),
        ("100 MiB in CPU times of 10 MiB", large.cpu / middle.cpu, MOST_TEN_TIMES),
        ("rare lines that are not shown", sum(len(PLANTED) - _rare(usage) for usage in found.values()), 0),
    )
    for text, value, most in checks:
        print(f"  {text}: {value:.1f}, at most {most}: {'met' if value <= most else 'MISSED'}")
    return sum(value > most for _, value, most in checks)


def _rare(usage: Usage) -> int:
    return sum(line.encode() in usage.output for line in PLANTED)
