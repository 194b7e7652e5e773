"""Every case under ``fixtures/``: the whole text that an agent will see, and nothing of what has to stay is lost."""

from __future__ import annotations

from difflib import unified_diff
from pathlib import Path

import pytest
from tests.recorded import FIXTURES, Recorded, own_cases, read, write

from token_saver.engine import CompressionEngine

CASES = own_cases()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_whole_result_is_the_expected_text(case: Recorded, engine: CompressionEngine, pytestconfig: pytest.Config) -> None:
    result, _, _ = engine.compress(case.command, case.text, exit_code=case.exit_code)
    faults = objections(case, result)
    if faults:
        pytest.fail(f"{case}: {'; '.join(faults)}", pytrace=False)
    expected = case.path.with_name("expected.txt")
    if pytestconfig.getoption("--update-goldens"):
        write(expected, result)
    difference = compare(expected, result)
    if difference:
        pytest.fail(f"{case}: {difference}\naccept with: {accept(case)}", pytrace=False)


def test_there_are_cases_and_each_is_complete() -> None:
    """A folder without case.toml or capture.txt would silently be no test at all."""
    assert CASES
    folders = sorted(path for path in FIXTURES.glob("*/*") if path.is_dir())
    assert [folder for folder in folders if not {"case.toml", "capture.txt"} <= {path.name for path in folder.iterdir()}] == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_must_survive_was_printed(case: Recorded) -> None:
    assert [must for must in case.must_survive if must not in case.text] == []


def test_the_comparison_shows_what_changed(tmp_path: Path) -> None:
    expected = tmp_path / "expected.txt"
    assert "there is no expected.txt" in compare(expected, "a\n")
    write(expected, "a\nb\n")
    assert compare(expected, "a\nb\n") == ""
    assert "-b\n+c\n" in compare(expected, "a\nc\n")
    assert compare(expected, "a\nb") != ""


def test_a_result_that_lost_something_or_grew_is_refused(tmp_path: Path) -> None:
    case = Recorded("family/case", "family", "tool", 0, tmp_path / "capture.txt", ("2 failed",))
    write(case.path, "2 failed\n")
    assert objections(case, "2 failed\n") == []
    assert objections(case, "2  failed\n") == ["it is longer than the capture: 10 against 9 characters"]
    assert objections(case, "failed\n") == ["it lost '2 failed'"]


def objections(case: Recorded, result: str) -> list[str]:
    """Return why *result* must not become the expected text."""
    found = [f"it lost {must!r}" for must in case.lost(result)]
    if len(result) > len(case.text):
        found.append(f"it is longer than the capture: {len(result)} against {len(case.text)} characters")
    return found


def compare(expected: Path, result: str) -> str:
    """Return what is wrong between the file *expected* and *result*, empty when nothing is."""
    if not expected.exists():
        return "there is no expected.txt yet"
    wanted = read(expected)
    if wanted == result:
        return ""
    lines = unified_diff(wanted.splitlines(True), result.splitlines(True), "expected.txt", "result")
    return "the result is not the expected text\n" + "".join(_shown(line) for line in lines)


def _shown(line: str) -> str:
    """Escape what a terminal would act on, and say where a line has no end."""
    end = "\n" if line.endswith("\n") else "⏎ missing\n"
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in line.rstrip("\n")) + end


def accept(case: Recorded) -> str:
    """Return the command that makes the result the expected text."""
    return f"python -m pytest 'tests/test_cases.py::test_the_whole_result_is_the_expected_text[{case}]' --update-goldens"
