"""The shared cases, where they are there: small outputs on which tools of this kind have failed their users."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.recorded import SHARED

from token_saver.engine import CompressionEngine

# Cases that wait for a family, with the reason. Each is expected to fail: one that passes has to leave this table.
NOT_YET: dict[str, str] = {}


def _cases() -> list[Any]:
    path = SHARED / "cases" / "cases.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    return [_case(case) for case in found if "output" in case]


def _case(case: dict[str, Any]) -> Any:
    reason = NOT_YET.get(case["id"])
    marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason else []
    return pytest.param(case, id=case["id"], marks=marks)


@pytest.mark.parametrize("case", _cases())
def test_the_fault_is_not_made_here(case: dict[str, Any], engine: CompressionEngine) -> None:
    result, _, _ = engine.compress(case["command"], case["output"], exit_code=case["exit_code"])
    assert [must for must in case.get("must_keep", []) if must not in result] == []
    assert [word for word in case.get("must_not", []) if word in result] == []
    assert [group for group in case.get("any_of", []) if not any(word in result for word in group)] == []
    # Masking a secret is the one thing that may make an output longer.
    assert len(result) <= len(case["output"]) or case["kind"] == "secrets leaked"
