"""Compare definitions with Universal Ctags, where that is installed: name and line of functions, methods, classes and types.

``python plugins/token-saver-navigator/benchmarks/ctags_oracle.py FOLDER … [--files N]`` prints for each language what both
find, and what only one of them does. Ctags is no truth: it reads without a grammar, so examples of both sides are shown.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
from collections import Counter

from token_saver_navigator.languages import BY_NAME, language_of
from token_saver_navigator.parsing import parse

KINDS = {
    "go": "func struct interface methodSpec",
    "ruby": "class method module singletonMethod",
    "php": "class function interface trait",
    "java": "class method interface enum",
    "c": "function struct union enum",
    "rust": "function struct trait enumerator method",
    "python": "class function member",
}
OURS = frozenset("function method class struct interface trait module union enum record constructor".split())  # noqa: SIM905


def main() -> None:
    """Print the agreement for each language."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=300, help="how many of each language, spread evenly")
    parser.add_argument("--show", type=int, default=4)
    options = parser.parse_args()
    every = sorted({path for folder in options.folders for path in pathlib.Path(folder).rglob("*") if path.is_file()})
    for name, kinds in KINDS.items():
        paths = [path for path in every if language_of(path.name) == BY_NAME[name]]
        paths = paths[:: max(1, len(paths) // options.files)]
        if paths:
            _compare(name, frozenset(kinds.split()), paths, options.show)


def _compare(name: str, kinds: frozenset[str], paths: list[pathlib.Path], show: int) -> None:
    command = ["ctags", "--output-format=json", "--fields=+nK", "--extras=-F", "-f", "-", "-L", "-"]
    done = subprocess.run(command, input="\n".join(map(str, paths)), capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    theirs = {(row["path"], row["line"], row["name"]) for row in rows if row.get("kind") in kinds}
    ours = {
        (str(path), symbol.name_line, symbol.name)
        for path in paths
        for symbol in parse(path.read_bytes(), name).symbols
        if symbol.kind in OURS
    }
    both = len(theirs & ours)
    print(
        f"{name}: {len(paths)} files, {both} found by both, {len(theirs - ours)} by ctags alone, {len(ours - theirs)} by us alone"
    )
    for who, rest in (("ctags", theirs - ours), ("us", ours - theirs)):
        print(f"  {who} alone, by kind of line: {Counter(_word(row) for row in rest).most_common(4)}")
        print("\n".join(f"    {path}:{line} {found}" for path, line, found in sorted(rest)[:show]))


def _word(row: tuple[str, int, str]) -> str:
    line = pathlib.Path(row[0]).read_text(encoding="utf-8", errors="replace").split("\n")[row[1] - 1]
    return " ".join(line.split()[:1])


if __name__ == "__main__":
    main()
