"""Whether twice the length of a line takes twice the time, for every family and for lines that invite backtracking."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from token_saver.engine import CompressionEngine
from token_saver.plugins import builtin_processors
from token_saver.processor import Family

if TYPE_CHECKING:
    from argparse import Namespace

PARTS = (
    *("/a", "a.", "a-b ", "x=y ", "-", " ", "f(x", "a/b.c:1:2: ", "a::b::", "'a' ", "| a ", "10% ", "[", '"', "\t", "--> "),
    *("Error ", "\x1b[1m", "1", "=", "(", "https://a/", "a@b.", "<a ", "{"),
)
SIZE = 30_000
MOST = 3.2
LEAST_SECONDS = 0.1


def run(options: Namespace) -> int:
    """Print the lines that take too long and return how many there are."""
    engine = CompressionEngine()
    families = [processor for processor in builtin_processors() if isinstance(processor, Family)]
    commands = [family.commands[0] for family in families if family.commands]
    print(f"{len(commands)} families, {len(PARTS)} lines of {SIZE:,} and {2 * SIZE:,} characters: 2 is linear, 4 is not")
    missed = 0
    for command in commands:
        for part in PARTS:
            short, long = (_seconds(engine, command, part * (size // len(part))) for size in (SIZE, 2 * SIZE))
            if long > LEAST_SECONDS and long > MOST * short:
                missed += 1
                print(f"  {command:20} {part!r:10} {long / short:.1f} times, {long:.2f} s")
    print(f"  {missed} take more than {MOST} times as long")
    return missed


def _seconds(engine: CompressionEngine, command: str, line: str) -> float:
    """Return the least of up to three measurements, in CPU time."""
    text = f"{line}\nerror: it is broken\n{line}\n"
    found: list[float] = []
    while len(found) < 3 and not (found and found[-1] < LEAST_SECONDS / 2):
        start = time.process_time()
        engine.compress(command, text, 1)
        found.append(time.process_time() - start)
    return min(found)
