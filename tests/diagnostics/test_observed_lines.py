"""Nothing a tool printed is lost on the way into a snapshot, and what a snapshot says is in the output."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.diagnostics.observed import CASES, printed, shared_captures, strings, unaccounted

if TYPE_CHECKING:
    from tests.recorded import Recorded

    from token_saver.engine import CompressionEngine

DECLINED = {
    "pytest/collect-only": "no tests were run",
    "pytest/conftest-fails": "status 4: nothing was run",
    "pytest/internal-error": "pytest crashed",
    "pytest/missing-path": "status 4: nothing was run",
    "pytest/segfault": "the run was cut off",
    "pytest/usage-error": "status 4: nothing was run",
    "ruff/format-check": "names of files, no findings",
}
DOCUMENTS = ("ruff/json", "eslint/json")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_line_of_a_recording_is_in_a_detail_the_context_or_the_summary(case: Recorded, engine: CompressionEngine) -> None:
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)

    assert (snapshot is None) == (case.name in DECLINED)
    if snapshot is not None and case.name in DOCUMENTS:
        held = "".join([*(one.detail for one in snapshot.diagnostics), snapshot.context])
        assert [value for value in strings(json.loads(case.text)) if json.dumps(value) not in held] == []
    elif snapshot is not None:
        assert unaccounted(snapshot, printed(case)) == []


def test_every_line_of_the_shared_recordings_is_accounted_for(engine: CompressionEngine) -> None:
    captures = shared_captures()
    if not captures:
        pytest.skip("the shared recordings are not here")
    snapshots = [(case, engine.diagnostics(case.command, case.text, exit_code=case.exit_code)) for case in captures]
    read = [(case, snapshot) for case, snapshot in snapshots if snapshot is not None and case.name != "shared/ruff-json"]
    lost = {case.name: unaccounted(snapshot, printed(case)) for case, snapshot in read}

    assert {name: lines for name, lines in lost.items() if lines} == {}
    assert len(read) > 60


@pytest.mark.parametrize("case", CASES, ids=str)
def test_details_and_totals_are_quoted(case: Recorded, engine: CompressionEngine) -> None:
    snapshot = engine.diagnostics(case.command, case.text, exit_code=case.exit_code)
    if snapshot is None:
        assert case.name in DECLINED
        return
    text = printed(case)
    for one in snapshot.diagnostics:
        own = one.detail.split("\n", 1)[1] if case.name == "eslint/json" else one.detail  # the file is told above
        assert [line for line in own.split("\n") if line not in text] == [], one.identifier
        assert one.summary
        assert "\n" not in one.summary
    assert [line for line in snapshot.summary.split("\n") if line not in text] == []
    assert {one.identifier for one in snapshot.diagnostics}.isdisjoint(snapshot.passed)
