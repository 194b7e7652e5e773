"""Processes, measured in turn with a bare interpreter, so that a busy machine hurts all alike: CPU time, peak memory."""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ENTRY = os.path.join(ROOT, "src/token_saver/hosts/entry.py")
HOOK = os.path.join(ROOT, "benchmarks/hook.py")
OPTIONS = ("-I", "-S", "-X", "utf8")
BARE = "bare interpreter"


class Process(NamedTuple):
    """What to start: its words, what it reads on stdin, and what to take off its time (the command that it wraps)."""

    argv: Sequence[str]
    stdin: str = os.devnull
    less: str = ""


class Usage(NamedTuple):
    """What a process used: seconds of CPU time with its children's, and its peak memory in MiB."""

    cpu: float
    peak: float
    status: int
    output: bytes


def used(process: Process, environ: Mapping[str, str]) -> Usage:
    """Start *process* with its output in a pipe, read it to its end and return what it used."""
    read, write = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, process.stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, write, 1),
        (os.POSIX_SPAWN_DUP2, write, 2),
    ]
    pid = os.posix_spawn(process.argv[0], list(process.argv), dict(environ), file_actions=actions)
    os.close(write)
    chunks = []
    while chunk := os.read(read, 1 << 16):
        chunks.append(chunk)
    os.close(read)
    _, status, usage = os.wait4(pid, 0)
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    code = os.waitstatus_to_exitcode(status)
    return Usage(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale, code, b"".join(chunks))


class Ratio(NamedTuple):
    """CPU time in terms of the bare interpreter of the same round: the median, and the extremes."""

    median: float
    least: float
    most: float
    seconds: float


def ratios(processes: Mapping[str, Process], environ: Mapping[str, str], rounds: int) -> dict[str, Ratio]:
    """Measure all *processes*, one of which is BARE, in turn, *rounds* times."""
    seconds: dict[str, list[float]] = {name: [] for name in processes}
    for process in processes.values():
        used(process, environ)
    for _ in range(rounds):
        for name, process in processes.items():
            seconds[name].append(used(process, environ).cpu)
    return {name: _ratio(seconds, name, process.less) for name, process in processes.items()}


def _ratio(seconds: Mapping[str, Sequence[float]], name: str, less: str) -> Ratio:
    taken_off = seconds[less] if less else [0.0] * len(seconds[name])
    own = [value - off for value, off in zip(seconds[name], taken_off, strict=True)]
    found = [value / bare for value, bare in zip(own, seconds[BARE], strict=True)]
    return Ratio(statistics.median(found), min(found), max(found), statistics.median(own))
