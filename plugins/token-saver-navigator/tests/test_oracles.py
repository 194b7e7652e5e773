"""Small samples of what the scripts in ``benchmarks/`` measure: ``ast`` as an oracle, search, the tokens of a context."""

from __future__ import annotations

import importlib.util
import pathlib
import sys
import sysconfig
import tomllib
from typing import Any

import pytest

FOLDER = pathlib.Path(__file__).parent.parent / "benchmarks"


def benchmark(name: str) -> Any:
    """Return one of the scripts that measure, as a module."""
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_ast_agrees_on_a_sample() -> None:
    oracle = benchmark("ast_oracle")
    paths = sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("*.py"))[::8]
    outcome = oracle.compare(paths)
    assert outcome.definitions > 500
    assert outcome.agreed / outcome.definitions > 0.99, outcome.disagreements[:5]
    assert {row[0] for row in outcome.disagreements} <= {oracle.COMMENTS_BELOW, oracle.COMMENT_ABOVE}


def test_search_answers_questions_about_installed_packages() -> None:
    quality = benchmark("search_quality")
    questions = tomllib.loads(quality.QUESTIONS.read_text())
    rows = quality.asked({name: questions[name] for name in ("pluggy", "packaging")})
    rank, _, ten = quality.figures(rows)
    assert len(rows) == 16 and rank > 0.5 and ten > 0.75, rows


def test_context_is_small_and_has_what_an_edit_needs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    tokens = benchmark("context_tokens")
    monkeypatch.setattr(tokens, "PACKAGES", {"packaging": 6})
    assert tokens.main() == 0
    share = float(capsys.readouterr().out.partition("(")[2].partition("%")[0])
    assert 0 < share < 25
