"""The bundled replay: every recording of every family, and proof that a broken family is noticed."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scripts import make_replay
from tests.recorded import own_cases

from token_saver import plugins
from token_saver.cli import main
from token_saver.engine import CompressionEngine
from token_saver.processor import Family, as_command
from token_saver.replay import manifest
from token_saver.replay.captures import read_capture

if TYPE_CHECKING:
    from token_saver.replay.manifest import Case

BUNDLE = Path(__file__).resolve().parent.parent.parent / "replay" / "manifest.json"

MOST_TRIES = 8
LONGEST_MARKER = 20
"""A line that is shorter than the marker that would tell of it is shown all the same."""

BROKEN = """
from {module} import {cls}
from token_saver.text.pieces import Fold

class Broken({cls}):
    name = "broken"
    priority = 0

    def pieces(self, capture):
        return [self._dropped(piece) for piece in super().pieces(capture)]

    def _dropped(self, piece):
        text = piece if isinstance(piece, str) else getattr(piece, "text", "")
        if {string!r} not in text:
            return piece
        return Fold([piece] if isinstance(piece, str) else piece.lines, "line", known=True, told=True)
"""


@pytest.fixture(autouse=True)
def settings_of_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


def replayed(capfdbinary: pytest.CaptureFixture[bytes], path: Path, *more: str) -> tuple[int, dict[str, Any]]:
    status = main(["replay", str(path), "--format", "json", *more])
    return status, json.loads(capfdbinary.readouterr().out)


def test_everything_that_has_to_survive_survives(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    status, report = replayed(capfdbinary, BUNDLE)
    failed = {case["name"]: case["violations"] for case in report["cases"] if not case["passed"]}
    assert not failed and status == 0 and report["totals"]["lost"] == 0
    assert report["totals"]["required"] > 1000 and report["totals"]["savings_percent"] > 50


def test_every_family_that_was_recorded_is_there() -> None:
    assert {case.family for case in manifest.cases(BUNDLE)} == {case.family for case in own_cases()}
    assert all(
        case.must_preserve or case.must_preserve_patterns or case.max_growth_percent == 0 for case in manifest.cases(BUNDLE)
    )


def test_the_folder_is_what_the_script_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert make_replay.main(["--check"]) == 0, capsys.readouterr().out


def test_a_gain_by_losing_an_error_fails_whatever_the_baseline_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    case, index = breakable()["pytest"][0]
    path, baseline = BUNDLE.parent / str(case.family) / "manifest.json", tmp_path / "baseline.json"
    ratchet = ["--baseline", str(baseline)]
    assert replayed(capfdbinary, path, *ratchet, "--update-baseline")[0] == 0
    assert replayed(capfdbinary, path, *ratchet)[0] == 0
    before = baseline.read_bytes()
    break_family("pytest", case.must_preserve[index], tmp_path, monkeypatch)
    for more in (ratchet, [*ratchet, "--tolerance", "100"], [*ratchet, "--update-baseline"]):
        status, report = replayed(capfdbinary, path, *more)
        [found] = [one["violations"] for one in report["cases"] if one["name"] == case.name]
        assert status == 1 and f"must_preserve[{index}]:missing_in_output" in found and baseline.read_bytes() == before


@cache
def processors() -> dict[str, Any]:
    return {processor.name: processor for processor in plugins.builtin_processors()}


def break_family(processor: str, string: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a processor before *processor* that reads as it does and drops every line that holds *string*."""
    cls = type(processors()[processor])
    (folder / "processors").mkdir(parents=True)
    text = BROKEN.format(module=cls.__module__, cls=cls.__name__, string=string)
    (folder / "processors" / "broken.py").write_text(text)
    monkeypatch.setenv("TOKEN_SAVER_USER_PROCESSORS_DIR", str(folder / "processors"))


@cache
def breakable() -> dict[str, list[tuple[Case, int]]]:
    """Return failed runs of each family, each with a required string to drop: one that stands in a single, long line."""
    engine = CompressionEngine(list(processors().values()), {"enabled": True, "min_input_length": 1})
    found: dict[str, list[tuple[Case, int]]] = {}
    for case in manifest.cases(BUNDLE):
        name = engine.selected(as_command(case.command)).name
        if not case.exit_code or not isinstance(processors()[name], Family) or name == "generic":
            continue
        text = read_capture(BUNDLE.parent, case.input, 1 << 24)
        for index, string in enumerate(case.must_preserve):
            lines = [line for line in text.split("\n") if string in line]
            if len(lines) == 1 and len(lines[0]) > LONGEST_MARKER:
                found.setdefault(name, []).append((case, index))
    return found


@pytest.mark.parametrize("processor", sorted(breakable()))
def test_a_family_that_drops_an_error_is_named(
    processor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """What a family drops may be told elsewhere (by a marker, or by the reader of an inner command), but not everything."""
    for number, (case, index) in enumerate(breakable()[processor][:MOST_TRIES]):
        break_family(processor, case.must_preserve[index], tmp_path / str(number), monkeypatch)
        status, report = replayed(capfdbinary, BUNDLE.parent / str(case.family) / "manifest.json")
        failed = {one["name"]: one["violations"] for one in report["cases"] if not one["passed"]}
        if f"must_preserve[{index}]:missing_in_output" in failed.get(case.name, []):
            assert status == 1
            return
    raise AssertionError(f"no replay noticed what a broken {processor} dropped")
