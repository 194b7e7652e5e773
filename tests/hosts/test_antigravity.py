"""Google Antigravity: both shapes, and files that its strict loader takes."""

from __future__ import annotations

import json
import pathlib
import shlex
from typing import Any

import pytest
from tests.hosts.hooks import Hook, payload

import token_saver

FOLDER = pathlib.Path(__file__).parents[2] / "antigravity"
BEFORE = payload("antigravity", "pre_tool_use")
AFTER = payload("antigravity", "after_tool")
GROUPED, FLAT = ("PreToolUse", "PostToolUse"), ("PreInvocation", "PostInvocation", "Stop", "SessionStart")


def asked(command: Any) -> dict[str, Any]:
    call = BEFORE["toolCall"]
    return {**BEFORE, "toolCall": {**call, "args": {**call["args"], "CommandLine": command}}}


def test_native_overwrites_the_command_line_and_asks(hook: Hook) -> None:
    reply = hook("antigravity native", BEFORE)
    assert reply is not None and set(reply) == {"decision", "overwrite"}
    assert reply["decision"] == "ask" and list(reply["overwrite"]) == ["CommandLine"]
    assert reply["overwrite"]["CommandLine"].endswith("run -- git status")


@pytest.mark.parametrize(
    "event",
    [
        asked("echo hello"),
        asked("git push --force origin main"),
        asked("token-saver run -- git status"),
        asked(""),
        asked(None),
        asked(["git", "status"]),
        {**BEFORE, "toolCall": {"name": "view_file", "args": {"AbsolutePath": "/a"}}},
        {**BEFORE, "toolCall": None},
        {**BEFORE, "toolCall": "run_command"},
        {"conversationId": "c0ffee"},
        {},
    ],
)
def test_native_is_silent_and_never_says_an_empty_object(hook: Hook, event: dict[str, Any]) -> None:
    assert hook.raw("antigravity native", json.dumps(event).encode()) == b""


@pytest.mark.parametrize(
    ("settings", "rewritten"),
    [
        ({"permissions": {"deny": ["command(git push)"]}}, False),
        ({"tools": {"exclude": ["run_command(git)"]}}, False),
        ({"permissions": {"deny": ["command(*)"]}}, False),
        ({"permissions": {"deny": ["rm"], "allow": ["git"]}}, True),
        ({"theme": "dark"}, True),
        ("{", False),
    ],
)
def test_native_leaves_what_a_rule_could_be_about(hook: Hook, tmp_path: pathlib.Path, settings: Any, rewritten: bool) -> None:
    (tmp_path / ".gemini").mkdir()
    (tmp_path / ".gemini/settings.json").write_text(settings if isinstance(settings, str) else json.dumps(settings))
    assert (hook("antigravity native", BEFORE) is not None) is rewritten


def test_after_the_tool_the_output_is_replaced_or_left(hook: Hook) -> None:
    reply = hook("antigravity after-tool", AFTER)
    assert reply is not None and reply["decision"] == "deny" and "100 passed" in reply["reason"]
    assert len(reply["reason"]) < len(AFTER["tool_response"]["llmContent"]) / 5
    assert hook("antigravity after-tool", {**AFTER, "tool_name": "read_file"}) == {}
    assert hook("antigravity after-tool", {**AFTER, "tool_response": {"llmContent": "fine\n"}}) == {}
    other = {**AFTER, "tool_input": {"cmd": "pytest -v"}, "tool_response": {"output": AFTER["tool_response"]["llmContent"]}}
    assert (hook("antigravity after-tool", other) or {}).get("decision") == "deny"


def test_the_native_file_is_what_a_strict_loader_takes() -> None:
    named = json.loads((FOLDER / "native/hooks.json").read_text())
    assert isinstance(named, dict) and named
    for events in named.values():
        assert set(events) <= {*GROUPED, *FLAT}
        for event, listed in events.items():
            for group in listed if event in GROUPED else [{"matcher": "", "hooks": listed}]:
                assert set(group) == {"matcher", "hooks"}
                for handler in group["hooks"]:
                    check_handler(handler, {"type", "command", "timeout"})


def test_the_after_tool_file_names_its_event() -> None:
    found = json.loads((FOLDER / "after-tool/hooks.json").read_text())["hooks"]
    assert list(found) == ["AfterTool"]
    for handler in found["AfterTool"][0]["hooks"]:
        check_handler(handler, {"name", "type", "command", "timeout"})


def check_handler(handler: dict[str, Any], keys: set[str]) -> None:
    assert set(handler) == keys and handler["type"] == "command" and type(handler["timeout"]) is int
    assert shlex.split(handler["command"])[:3] == ["token-saver", "hook", "antigravity"]


@pytest.mark.parametrize("shape", ["native", "after-tool"])
def test_the_manifests_have_the_version(shape: str) -> None:
    manifest = json.loads((FOLDER / shape / "plugin.json").read_text())
    assert (manifest["name"], manifest["version"]) == ("token-saver", token_saver.__version__)
