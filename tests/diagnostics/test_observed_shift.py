"""An edit above a finding moves it and changes nothing else: not its identity, not what it says."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.diagnostics.observed import CASES
from tests.diagnostics.shifting import shifted

from token_saver.diagnostics import UNCHANGED, compare
from token_saver.engine import CompressionEngine

# Colours stand inside of the places, which the shifting of text does not look behind.
PLAIN = [case for case in CASES if "\x1b[" not in case.text]


@given(case=st.sampled_from(PLAIN), by=st.integers(1, 9_000))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_lines_put_above_change_no_finding(engine: CompressionEngine, case, by: int) -> None:  # type: ignore[no-untyped-def]
    before = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)
    after = engine.diagnostics(case.command, shifted(case, by), exit_code=case.exit_code)

    assert (before is None) == (after is None)
    if before is None or after is None:
        return
    assert [one.identifier for one in before.diagnostics] == [one.identifier for one in after.diagnostics]
    assert before.passed == after.passed
    assert [change.kind for change in compare(before, after)] == [UNCHANGED] * len(before.diagnostics)


def test_the_shifting_moves_findings_of_every_family(engine: CompressionEngine) -> None:
    moved = set()
    for case in PLAIN:
        before = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)
        after = engine.diagnostics(case.command, shifted(case, 40), exit_code=case.exit_code)
        if before is not None and after is not None and any(change.moved for change in compare(before, after)):
            moved.add(case.family)

    assert moved == {case.family for case in CASES}


@given(case=st.sampled_from(CASES), data=st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_reading_is_deterministic_and_never_raises_on_a_cut_output(engine: CompressionEngine, case, data) -> None:  # type: ignore[no-untyped-def]
    end = data.draw(st.integers(0, len(case.text)))
    cut = case.text[:end]
    first = engine.diagnostics(case.command, cut, exit_code=case.exit_code)
    second = engine.diagnostics(case.command, cut, exit_code=case.exit_code)

    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert [one.essence() for one in first.diagnostics] == [one.essence() for one in second.diagnostics]
        assert first.context == second.context


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_run_that_lost_its_end_is_declined(case, engine: CompressionEngine) -> None:  # type: ignore[no-untyped-def]
    lines = case.text.rstrip("\n").split("\n")
    if case.family in ("gcc", "tsc") or case.name in ("go/build-errors", "mypy/clean", "ruff/clean"):
        return  # no totals: only the status can tell
    half = "\n".join(lines[: len(lines) // 2]) + "\n"

    assert engine.diagnostics(case.command, half, exit_code=case.exit_code) is None
