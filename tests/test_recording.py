"""The recorder: what it takes out of a capture, and what it refuses to store."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from scripts.recording.main import all_recipes
from scripts.recording.main import main as record
from scripts.recording.project import Project, fresh_project
from scripts.recording.recipe import Recipe, RecordingError
from scripts.recording.run import run
from scripts.recording.scrub import scrub
from scripts.recording.store import store
from tests.recorded import FIXTURES, own_cases

RECIPE = Recipe("family", "case", "tool --flag", ("2 failed",), exit_code=1)


def _store(recipe: Recipe, capture: bytes, root: Path) -> bool:
    return store(recipe, capture, "tool 1.0", "Some Linux", root)


def test_every_recipe_is_recorded_and_every_recording_has_a_recipe() -> None:
    assert sorted(recipe.name for recipe in all_recipes()) == sorted(case.name for case in own_cases())


def test_no_recipe_is_made_twice() -> None:
    names = [recipe.name for recipe in all_recipes()]
    assert len(names) == len(set(names))


def test_no_string_of_a_recipe_was_left_out_of_its_case() -> None:
    cases = {case.name: case for case in own_cases()}
    assert [recipe.name for recipe in all_recipes() if not set(recipe.must_survive) <= set(cases[recipe.name].must_survive)] == []


def test_a_case_is_stored_whole_and_only_when_it_changed(tmp_path: Path) -> None:
    assert _store(RECIPE, b"\x1b[31m2 failed\r\n\xff", tmp_path)
    folder = tmp_path / "family" / "case"
    assert (folder / "capture.txt").read_bytes() == b"\x1b[31m2 failed\r\n\xff"
    case = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
    assert (case["command"], case["exit_code"], case["must_survive"]) == ("tool --flag", 1, ["2 failed"])
    assert not _store(RECIPE, b"\x1b[31m2 failed\r\n\xff", tmp_path)


@pytest.mark.parametrize("text", ['a "quoted" word', "back\\slash", "tab\there", "line\nline", "[… 3 lines]", "\x7f", "\x1b[0m"])
def test_any_string_can_have_to_survive(text: str, tmp_path: Path) -> None:
    _store(Recipe("family", "case", "tool", (text,)), text.encode(), tmp_path)
    case = tomllib.loads((tmp_path / "family/case/case.toml").read_text(encoding="utf-8"))
    assert case["must_survive"] == [text]


def test_a_recording_without_what_must_survive_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="2 failed"):
        _store(RECIPE, b"1 failed\n", tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_string_does_not_leave_a_case_because_it_left_the_recipe(tmp_path: Path) -> None:
    _store(RECIPE, b"2 failed\n", tmp_path)
    with pytest.raises(RecordingError, match="2 failed"):
        _store(Recipe("family", "case", "tool --flag", ()), b"1 failed\n", tmp_path)
    _store(Recipe("family", "case", "tool --other", ()), b"2 failed\n", tmp_path)
    assert '"2 failed"' in (tmp_path / "family/case/case.toml").read_text(encoding="utf-8")


def test_the_machine_is_taken_out_of_a_capture(tmp_path: Path) -> None:
    project = Project(tmp_path, tmp_path, None)
    host = "files." + "pythonhosted" + ".org"  # spelt so that this file names no registry
    made = f"{tmp_path}/a.py GET https://{host}/x and notapypi.organ\n".encode()
    assert scrub(made, project) == b"/home/dev/project/a.py GET https://registry.example/x and notapypi.organ\n"


def test_output_is_taken_in_the_order_written_with_the_status_of_the_shell() -> None:
    with fresh_project(None) as project:
        assert run("echo one; echo two >&2; echo three; exit 3", project, project.root) == (b"one\ntwo\nthree\n", 3)
        assert run("kill -SEGV $$", project, project.root)[1] == 139
        project.terminal = True
        assert run("test -t 1 && echo terminal", project, project.root) == (b"terminal\r\n", 0)
    assert not project.root.exists()


def test_an_unknown_case_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="gti"):
        record(["gti"])
    assert record(["--list", "git/status-clean"]) == 0
    assert "git/status-clean" in capsys.readouterr().out


def test_captures_hold_nothing_of_the_recording_machine() -> None:
    words = (b"/tmp/rec-", b"/root/", b"pythonhosted", b"npmjs", b"pypi")
    captures = FIXTURES.glob("*/*/capture.txt")
    assert [path for path in captures if any(word in path.read_bytes() for word in words)] == []
