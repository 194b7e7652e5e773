"""A runner's run is that of the tools it ran: their findings, and all that stands around them as context."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.diagnostics.observed import printed, shared_captures, unaccounted
from tests.recorded import own_cases

from token_saver.engine import CompressionEngine
from token_saver.processor import Processor

BY_NAME = {case.name: case for case in own_cases()}
FOUND = {
    "make/tests": ("make", ["test_quays.py::test_depth"]),
    "just/tests": ("just", ["test_quays.py::test_depth"]),
    "tox/failures": (
        "tox",
        [
            "test_negative (test_fares.FareTest.test_negative)",
            "setUpClass (test_fares.QuayTest)",
            "test_many (test_fares.FareTest.test_many) (n=1)",
            "test_many (test_fares.FareTest.test_many) (n=3)",
            "test_two (test_fares.FareTest.test_two)",
            "F401|test_broken.py|[*] `fares.price` imported but unused",
            "I001|test_fine.py|[*] Import block is un-sorted or un-formatted",
        ],
    ),
    "cmake/build-fails": (
        "make",
        [
            "error|/home/dev/project/src/quay_2.c|quay_2|‘nn’ undeclared (first use in this function); did you mean ‘n’?",
            "error|/home/dev/project/src/quay_2.c|quay_2|‘depth’ undeclared (first use in this function)",
        ],
    ),
    "make/fine": ("make", []),
}
DECLINED = (
    "make/no-rule",
    "make/recipe-fails",
    "make/dry-run",
    "just/list",
    "just/unknown",
    "npm-run/webpack",
    "meson/missing-dependency",
)


@pytest.mark.parametrize("name", FOUND)
def test_a_runner_hands_on_what_its_tools_found(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert snapshot is not None
    family, found = FOUND[name]
    assert snapshot.family == family
    assert [one.identifier for one in snapshot.diagnostics] == found
    assert unaccounted(snapshot, printed(case)) == []


def test_a_script_of_npm_is_read_as_what_it_ran(engine: CompressionEngine) -> None:
    case = BY_NAME["npm-run/tsc"]
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert snapshot is not None
    assert [one.name for one in snapshot.diagnostics] == ["TS2322", "TS2551", "TS2365", "TS2322", "TS2322", "TS7006", "TS2554"]
    assert unaccounted(snapshot, printed(case)) == []


@pytest.mark.parametrize("name", DECLINED)
def test_a_runner_of_nothing_known_declines(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    assert engine.diagnostics(case.command, case.text, exit_code=case.exit_code) is None


def test_what_one_environment_passes_and_another_fails_did_not_pass(engine: CompressionEngine) -> None:
    run = (
        "{env}: commands[0]> pytest -v\ntest_a.py::test_one PASSED [ 50%]\ntest_a.py::test_two {word} [100%]\n{report}"
        "{env}: exit {status} (0.20 seconds) /project> pytest -v pid=1\n"
    )
    report = (
        "=== FAILURES ===\n___ test_two ___\n\n>   assert 1 == 2\nE   assert 1 == 2\n\ntest_a.py:4: AssertionError\n"
        "=== short test summary info ===\nFAILED test_a.py::test_two - assert 1 == 2\n=== 1 failed, 1 passed in 0.02s ===\n"
    )
    text = run.format(env="py311", word="PASSED", report="=== 2 passed in 0.02s ===\n", status=0) + run.format(
        env="py312", word="FAILED", report=report, status=1
    )
    snapshot = engine.diagnostics("tox", text, exit_code=1)

    assert snapshot is not None
    assert [one.identifier for one in snapshot.diagnostics] == ["test_a.py::test_two"]
    assert snapshot.passed == ("test_a.py::test_one",)
    assert snapshot.summary == "=== 2 passed in 0.02s ===\n=== 1 failed, 1 passed in 0.02s ==="


def test_the_shared_runs_of_tox_keep_every_line(engine: CompressionEngine) -> None:
    runs = [case for case in shared_captures() if case.family == "tox"]
    snapshots = {case.name: (case, engine.diagnostics(case.command, case.text, exit_code=case.exit_code)) for case in runs}
    read = {name: snapshot for name, (_, snapshot) in snapshots.items() if snapshot is not None}

    assert not runs or len(read) >= 3
    assert all(unaccounted(snapshot, printed(snapshots[name][0])) == [] for name, snapshot in read.items())


def test_the_reference_names_every_family_that_observes(engine: CompressionEngine) -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "diagnostics.md").read_text(encoding="utf-8")
    rows = {line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")} - {"tool", "---"}
    observing = {name for name, one in engine.registry.by_name.items() if type(one).diagnostics is not Processor.diagnostics}

    assert rows == observing
