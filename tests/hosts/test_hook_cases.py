"""The shared cases of hooks and execution, through the hook processes and through the prefix."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest
from tests.hosts.hooks import Hook, payload

CASES = pathlib.Path(__file__).parents[3] / "shared/cases/cases.json"
pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not here")


def cases() -> list[Any]:
    found = json.loads(CASES.read_text()) if CASES.exists() else []
    return [pytest.param(case, id=case["id"]) for case in found if "hook_command" in case]


def replies(hook: Hook, command: str) -> list[dict[str, Any] | None]:
    native = payload("antigravity", "pre_tool_use")
    native["toolCall"]["args"]["CommandLine"] = command
    return [
        hook("claude wrap", payload("claude", "pre_tool_use", tool_input={"command": command})),
        hook("claude hybrid", payload("claude", "pre_tool_use", tool_input={"command": command})),
        hook("codex", payload("codex", "pre_tool_use", tool_input={"command": command}), CODEX_HOME="/nowhere"),
        hook("antigravity native", native),
    ]


@pytest.mark.parametrize("case", cases())
def test_a_shared_case(hook: Hook, case: dict[str, Any]) -> None:
    claude_wrap, claude_hybrid, codex, native = replies(hook, case["hook_command"])
    if case["expect"] == "passthrough":
        assert [claude_wrap, claude_hybrid, codex, native] == [None] * 4
    if case["expect"] == "wrap":
        assert claude_wrap is not None
    for reply in (claude_wrap, claude_hybrid):
        assert reply is None or "permissionDecision" not in reply["hookSpecificOutput"]
    assert native is None or native["decision"] == "ask"


def test_a_deny_rule_of_the_user_keeps_its_command(hook: Hook) -> None:
    (hook.directory / ".claude").mkdir()
    (hook.directory / ".claude/settings.json").write_text('{"permissions": {"deny": ["Bash(git status:*)"]}}')
    assert hook("claude wrap", payload("claude", "pre_tool_use")) is None
