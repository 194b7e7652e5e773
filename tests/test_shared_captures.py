"""The shared recordings, where they are there: nothing of what an agent needs is lost, and nothing grows."""

from __future__ import annotations

import pytest
from tests.recorded import Recorded, shared_captures

from token_saver.engine import CompressionEngine

FAMILIES = {
    "ag",
    "files",
    "git",
    "grep",
    "npm",
    "pip",
    "pnpm",
    "poetry",
    "pytest",
    "ripgrep",
    "search",
    "tree",
    "uv",
    "yarn",
}
CAPTURES = [one for folder in ("captures", "public") for one in shared_captures(folder) if one.family in FAMILIES]


@pytest.mark.parametrize("capture", CAPTURES, ids=str)
def test_what_an_agent_needs_is_kept_in_fewer_characters(capture: Recorded, engine: CompressionEngine) -> None:
    result = engine.run(capture.command, capture.text, capture.exit_code)
    assert result.fault == ""
    assert capture.lost(result.output) == []
    assert len(result.output) <= len(capture.text)
