"""What ``nav context`` costs against reading whole files, for fifty edits of functions in installed packages.

For each function the definitions that an edit needs are found by Python's own ``ast``, not by the navigator: the function, and
what it calls by a plain name that is defined in its file or imported from another file of the package. Reading whole files
means the files of those definitions. ``python plugins/token-saver-navigator/benchmarks/context_tokens.py`` prints both, and
fails when a needed definition is missing.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import pathlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from token_saver_navigator.answers import tokens_of
from token_saver_navigator.navigator import Navigator

PACKAGES = {"rich": 14, "_pytest": 14, "click": 10, "packaging": 6, "sqlite_utils": 6}
BUDGET = 4000

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Edit(NamedTuple):
    """A function to be edited: where it is, and every definition that is needed, as ``path:line``."""

    path: str
    name: str
    source: str
    needed: frozenset[str]


def edits(root: pathlib.Path) -> Iterator[Edit]:
    """Yield every top-level function of a package that leans on two or more definitions of it."""
    trees = {path.relative_to(root).as_posix(): ast.parse(path.read_bytes()) for path in sorted(root.rglob("*.py"))}
    tops = {path: {node.name: node for node in tree.body if isinstance(node, Definition)} for path, tree in trees.items()}
    for path, tree in trees.items():
        imported = dict(_imported(path, tree, tops))
        for name, node in tops[path].items():
            if not isinstance(node, ast.FunctionDef):
                continue
            called = {each.func.id for each in ast.walk(node) if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)}
            called -= {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
            called -= {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)} | {name}
            needed = {f"{path}:{_line(tops[path][each])}" for each in called if each in tops[path]}
            needed |= {imported[each] for each in called if each in imported and each not in tops[path]}
            source = ast.get_source_segment((root / path).read_text(encoding="utf-8"), node) or ""
            if len(needed) >= 2:
                yield Edit(path, name, source, frozenset(needed))


def _line(node: Definition) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _imported(path: str, tree: ast.Module, tops: dict[str, dict[str, Definition]]) -> Iterator[tuple[str, str]]:
    folder = path.split("/")[:-1]
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.level and node.module:
            base = "/".join([*folder[: len(folder) - node.level + 1], *node.module.split(".")])
            for alias in node.names:
                found = tops.get(base + ".py", {}).get(alias.name)
                if found is not None:
                    yield alias.asname or alias.name, f"{base}.py:{_line(found)}"


def spread(every: list[Edit], count: int) -> list[Edit]:
    """Return *count* of the edits, evenly spaced."""
    return [every[at * len(every) // count] for at in range(min(count, len(every)))]


def main() -> int:
    """Print the figures; status 1 when a needed definition is missing."""
    asked = whole = told = 0
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOKEN_SAVER_DATA_DIR"] = folder + "/data"
        for package, count in PACKAGES.items():
            spec = importlib.util.find_spec(package)
            assert spec is not None and spec.origin is not None
            root = pathlib.Path(folder) / package
            shutil.copytree(pathlib.Path(spec.origin).parent, root, ignore=shutil.ignore_patterns("__pycache__"))
            with Navigator(str(root)) as navigator:
                for edit in spread(list(edits(root)), count):
                    text = navigator.context(f"{edit.path}:{edit.name}", BUDGET).text
                    paths = {edit.path, *(place.rpartition(":")[0] for place in edit.needed)}
                    asked += 1
                    whole += sum(tokens_of((root / path).read_text(encoding="utf-8")) for path in paths)
                    told += tokens_of(text)
                    missing += [f"{package}/{edit.path} {edit.name}: its own source"] if edit.source not in text else []
                    lines = text.replace(":", "-").replace(" ", "-")
                    missing += [
                        f"{package}/{edit.path} {edit.name}: {place}"
                        for place in edit.needed
                        if place.replace(":", "-") + "-" not in lines
                    ]
    print(f"{asked} edits: context {told} tokens, whole files {whole} tokens ({told / whole:.1%})")
    print(f"{len(missing)} definitions missing")
    print("\n".join(f"  missing {each}" for each in missing))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
