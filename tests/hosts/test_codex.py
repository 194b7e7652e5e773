"""Codex CLI: a rewrite is an approval here, so it is given only where the user's own policy asks about nothing."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
from tests.hosts.hooks import Hook, payload

EVENT = payload("codex", "pre_tool_use")
SILENT_MODE = {key: value for key, value in EVENT.items() if key != "permission_mode"}


@pytest.fixture
def codex_home(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "codex"
    made.mkdir()
    return made


def answer(hook: Hook, event: dict[str, Any], home: pathlib.Path) -> dict[str, Any] | None:
    return hook("codex", event, CODEX_HOME=str(home))


def test_what_runs_unasked_anyway_is_rewritten_and_allowed(hook: Hook, codex_home: pathlib.Path) -> None:
    event = {**EVENT, "tool_input": {"command": "git status", "workdir": "/home/dev/web"}}
    reply = answer(hook, event, codex_home)
    assert reply is not None
    output = reply["hookSpecificOutput"]
    assert output.pop("updatedInput")["workdir"] == "/home/dev/web"
    assert output == {"hookEventName": "PreToolUse", "permissionDecision": "allow"}


@pytest.mark.parametrize(
    ("config", "rewritten"),
    [
        ('approval_policy = "never"\n', True),
        ('approval_policy = "on-request"\n', False),
        ('approval_policy = "untrusted"\n', False),
        ("", False),
        ("approval_policy = [", False),
        ('profile = "x"\napproval_policy = "never"\n[profiles.x]\napproval_policy = "untrusted"\n', False),
        ('profile = "x"\n[profiles.x]\napproval_policy = "never"\n', True),
    ],
)
def test_the_users_configuration_counts_where_the_event_does_not_say(
    hook: Hook, codex_home: pathlib.Path, config: str, rewritten: bool
) -> None:
    (codex_home / "config.toml").write_text(config)
    assert (answer(hook, SILENT_MODE, codex_home) is not None) is rewritten
    assert answer(hook, {**EVENT, "permission_mode": "default"}, codex_home) is None


def test_rules_that_forbid_or_ask_and_projects_with_a_policy_mean_silence(hook: Hook, codex_home: pathlib.Path) -> None:
    (codex_home / "config.toml").write_text('approval_policy = "never"\n')
    (codex_home / "rules").mkdir()
    (codex_home / "rules/default.rules").write_text('prefix_rule(pattern=["ls"], decision="allow")\n')
    assert answer(hook, EVENT, codex_home) is not None
    (codex_home / "rules/mine.rules").write_text('prefix_rule(pattern=["git", "push"], decision="forbidden")\n')
    assert answer(hook, EVENT, codex_home) is None
    (codex_home / "rules/mine.rules").unlink()
    (hook.directory / ".codex").mkdir()
    (hook.directory / ".codex/config.toml").write_text("")
    assert answer(hook, SILENT_MODE, codex_home) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"tool_name": "apply_patch"},
        {"hook_event_name": "PostToolUse"},
        {"tool_input": {"command": ["bash", "-lc", "git status"]}},
        {"tool_input": {"command": "echo hello"}},
        {"tool_input": {"command": "git push --force"}},
        {"tool_input": {"command": "token-saver run -- git status"}},
    ],
)
def test_silence_otherwise(hook: Hook, codex_home: pathlib.Path, changes: dict[str, Any]) -> None:
    assert answer(hook, {**EVENT, **changes}, codex_home) is None
