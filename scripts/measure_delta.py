"""Print how many characters five runs of a check show: as they came, shortened, as differences, and with recalls.

usage: measure_delta.py [--tools DIR] [--show] [TOOL]…

Of each tool that is installed (or in DIR/node_modules/.bin) a small project is checked five times: baseline, repeat, edit,
repeat, fixed. ``part`` is the differences and one recall of the lines about one finding, ``whole`` with one recall of a whole
output. Percentages are what is saved against the ordinary results.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scripts.delta_stages.projects import PROJECTS, Project
from scripts.delta_stages.run import DELTA, ORDINARY, RAW, RECALL, STAGES, Sequence, Shown

_REPEAT = 3


def main() -> int:
    """Measure the tools that are asked for and installed."""
    options = _options()
    folders = (f"{options.tools}/node_modules/.bin", str(Path(sys.executable).parent), os.environ["PATH"])
    os.environ["PATH"] = os.pathsep.join(folders)
    print(
        f"{'tool':<14}{'raw':>9}{'ordinary':>10}{'delta':>9}{'%':>7}{'recall':>9}{'%':>7}{'part':>9}{'%':>7}{'whole':>9}{'%':>7}"
    )
    for project in PROJECTS:
        if options.wanted and project.tool not in options.wanted:
            continue
        if shutil.which(project.program) is None:
            print(f"{project.tool:<14} is not installed")
            continue
        with tempfile.TemporaryDirectory() as folder:
            _measure(project, Path(folder), show=options.show)
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Characters of five runs, shown in several ways.")
    parser.add_argument("wanted", nargs="*", metavar="TOOL")
    parser.add_argument("--tools", default="node_modules", help="a folder with node_modules/.bin in it")
    parser.add_argument("--show", action="store_true", help="print what the runs showed, too")
    return parser.parse_args()


def _measure(project: Project, folder: Path, *, show: bool) -> None:
    sequences = {way: Sequence(project, way, folder) for way in (RAW, ORDINARY, DELTA, RECALL)}
    shown = {way: sequence.run() for way, sequence in sequences.items()}
    if len({tuple(run.status for run in runs) for runs in shown.values()}) != 1:
        raise SystemExit(f"{project.tool}: the statuses differ: {[[run.status for run in runs] for runs in shown.values()]}")
    total = {way: sum(len(run.text) for run in runs) for way, runs in shown.items()}
    name = project.same[0]
    part = sequences[RECALL].recalled(shown[RECALL][_REPEAT], "--grep", name)
    whole = sequences[RECALL].recalled(shown[RECALL][_REPEAT])
    row = f"{project.tool:<14}{total[RAW]:>9,}{total[ORDINARY]:>10,}"
    for size in (total[DELTA], total[RECALL], total[RECALL] + len(part), total[RECALL] + len(whole)):
        row += f"{size:>9,}{100 * (1 - size / total[ORDINARY]):>6.1f}%"
    print(row)
    if show:
        _show(shown[ORDINARY], shown[RECALL])


def _show(ordinary: list[Shown], delta: list[Shown]) -> None:
    for stage, one, other in zip(STAGES, ordinary, delta, strict=True):
        same = " (the ordinary result)" if one.text == other.text else ""
        print(f"\n--- {stage}: {len(one.text)} → {len(other.text)}{same}\n{other.text}")


if __name__ == "__main__":
    sys.exit(main())
