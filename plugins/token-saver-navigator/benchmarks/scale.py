"""Index a million lines and check the unchanged tree again; figures are CPU seconds, and seconds on the clock.

``python plugins/token-saver-navigator/benchmarks/scale.py [FOLDER] [--lines N]`` copies source files of FOLDER (default: the
installed packages) into a folder of its own until there are N lines.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import resource
import sysconfig
import tempfile
import time

from token_saver_navigator.index import Index
from token_saver_navigator.languages import language_of


def copied(source: pathlib.Path, target: pathlib.Path, lines: int) -> tuple[int, int]:
    """Copy source files until there are so many lines; return how many files and lines there are."""
    files = total = 0
    for path in sorted(path for path in source.rglob("*") if language_of(path.name) and path.is_file()):
        if total >= lines:
            break
        data = path.read_bytes()
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
        files, total = files + 1, total + data.count(b"\n")
    return files, total


def cpu() -> float:
    """Return the CPU seconds of this process and of its children that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", default=sysconfig.get_path("purelib"))
    parser.add_argument("--lines", type=int, default=1_000_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOKEN_SAVER_DATA_DIR"] = folder + "/data"
        files, lines = copied(pathlib.Path(options.folder), pathlib.Path(folder) / "tree", options.lines)
        with Index(folder + "/tree") as index:
            for what in ("build", "unchanged", "unchanged again"):
                clock, used = time.monotonic(), cpu()
                coverage = index.update()
                print(f"{what}: {cpu() - used:.2f} s CPU, {time.monotonic() - clock:.2f} s on the clock")
            print(f"{files} files, {lines} lines: {coverage.told()}")
            size = pathlib.Path(index.db.execute("PRAGMA database_list").fetchone()[2]).stat().st_size
            print(f"index of {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
