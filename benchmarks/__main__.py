"""Run the benchmarks: ``python -m benchmarks [NAME…] [--rounds N] [--full]``; status 1 when a target is missed by far."""

from __future__ import annotations

import argparse
import importlib
import sys

NAMES = ("startup", "recording", "instructions", "memory", "throughput", "baseline", "grouping", "long_lines", "replays")


def main() -> int:
    """Run what was asked for and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"what to run: {', '.join(NAMES)} (default: all)")
    parser.add_argument("--rounds", type=int, default=20, help="rounds of a measurement of processes (default: 20)")
    parser.add_argument("--full", action="store_true", help="measure every family on up to 64 MB, not only the fallback")
    options = parser.parse_args()
    if unknown := sorted(set(options.names) - set(NAMES)):
        parser.error(f"there is no benchmark named {', '.join(unknown)}")
    missed = 0
    for name in options.names or NAMES:
        print(f"== {name}", flush=True)
        missed += importlib.import_module(f"benchmarks.{name}").run(options)
        print()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
