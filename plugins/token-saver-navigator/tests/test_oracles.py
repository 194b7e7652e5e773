"""Others who know what a file defines: Python's own ``ast``, on modules of the standard library and of installed packages."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import sysconfig

FOLDER = pathlib.Path(__file__).parent.parent / "benchmarks"


def test_the_ast_agrees_on_a_sample() -> None:
    spec = importlib.util.spec_from_file_location("ast_oracle", FOLDER / "ast_oracle.py")
    assert spec is not None and spec.loader is not None
    oracle = sys.modules["ast_oracle"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    paths = sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py"))[::8]
    outcome = oracle.compare(paths)
    assert outcome.definitions > 500
    assert outcome.agreed / outcome.definitions > 0.99, outcome.disagreements[:5]
