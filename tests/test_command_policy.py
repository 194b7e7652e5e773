from __future__ import annotations

import json
import logging
import pathlib
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver import command_policy, plugins
from token_saver.command_policy import REASONS, CommandPolicy, default_policy
from token_saver.errors import RegistryError
from token_saver.processor import FALLBACK_NAME, hook_pattern
from token_saver.shell.command_line import CommandLine
from token_saver.shell.rewrite import rewrite

CASES = pathlib.Path(__file__).parents[2] / "shared" / "cases" / "cases.json"
SOURCES = pathlib.Path(__file__).parents[1] / "src"

POLICY = CommandPolicy(
    hook_pattern(words)
    for words in (
        "git",
        "pytest",
        "npm test",
        "npm run",
        "make",
        "ls",
        "grep",
        "cat",
        "find",
        "docker ps",
        "kubectl get",
        "rsync",
    )
)


@pytest.mark.parametrize(
    "command",
    [
        "git status",
        "/usr/bin/git status",
        "'git' 'status'",
        "git status 2>&1",
        "git status 2>/dev/null",
        "git status || true",
        "cd x && git status",
        "X=1 git status",
        "timeout 60 git status",
        "env X=1 nice -n 5 git status",
        "uv run pytest",
        "python -m pytest",
        "docker exec web pytest",
        "cd x\n\n# first\ngit status\ngit log\n",
        'echo "ok"; git status',
        "grep -E 'a|b' x",
        "git status | head -5",
        "git log | grep fix | tail -n 3",
        "git log 2>&1 | sort -u | head | cat",
        "git log | tee log.txt",
        "git log | sed -n '1,20p'",
        "(cd x && git status)",
        "(cd x && git status) 2>&1 | tail -3",
        "if true; then git status; fi",
        "find . -name x | xargs grep y",
        "bash -c 'cd x && git status'",
        "git diff $(git merge-base HEAD main)",
        "make < input.txt",
        "git --no-pager -C x log",
        "docker --context c ps",
        "./install.sh; git status",
    ],
)
def test_common_forms_are_understood(command: str) -> None:
    assert POLICY.is_compressible(command)


@pytest.mark.parametrize(
    ("command", "rule", "part"),
    [
        ("", "empty", ""),
        ("  ", "empty", ""),
        ("git status 'x", "not understood", "git status 'x"),
        ("TOKEN_SAVER=off git status", "switched off", "TOKEN_SAVER=off git status"),
        ("export TOKEN_SAVER=off; git status", "switched off", "export TOKEN_SAVER=off"),
        ("env TOKEN_SAVER=0 git status", "switched off", "env TOKEN_SAVER=0 git status"),
        ("token-saver run -- git status", "wrapped already", "token-saver run -- git status"),
        ("git log && python3 scripts/wrap.py git status", "wrapped already", "python3 scripts/wrap.py git status"),
        ("git diff > a.patch", "to a file", "git diff > a.patch"),
        ("git diff >> a.patch; ls -la", "kept in a file", "git diff >> a.patch"),
        ("make 2> log || cat log", "kept in a file", "make 2> log"),
        ("git log | wc -l", "to another program", "git log | wc -l"),
        ("git log | grep a | grep b", "to another program", "git log | grep a | grep b"),
        ("git log | python x.py", "to another program", "git log | python x.py"),
        ("git log | tail -f", "never ends", "git log | tail -f"),
        ("git log | grep -c x", "to another program", "git log | grep -c x"),
        ("git log | sort -o x", "to another program", "git log | sort -o x"),
        ("git log | sed 's/a/b/w x'", "to another program", "git log | sed 's/a/b/w x'"),
        ("git log | head > x", "to a file", "git log | head > x"),
        ("make &", "background", "make"),
        ("for i in 1 2; do git log; done", "construct", "for i in 1 2; do git log; done"),
        ("for i in 1 2; do git log; done | head", "construct", "for i in 1 2; do git log; done | head"),
        ("f() { git log; }", "construct", "f() { git log; }"),
        ("git log 3>&1", "redirection", "git log 3>&1"),
        ("git log 2>&-", "redirection", "git log 2>&-"),
        ('git log --author="$(rm -rf x)"', "substitution", 'git log --author="$(rm -rf x)"'),
        ("git log `touch x`", "substitution", "git log `touch x`"),
        ("cat <(rm x)", "substitution", "cat <(rm x)"),
        ("cat <<E\n$(rm x)\nE", "substitution", "cat <<E"),
        ('git log -m "$(cat <<E\nx\nE\n)"', "substitution", 'git log -m "$(cat <<E\nx\nE\n)"'),
        ("git log >/dev/null", "nothing to gain", "git log >/dev/null"),
        ("git rev-parse HEAD", "nothing to gain", "git rev-parse HEAD"),
        ("exec git log", "shell builtin", "exec git log"),
        ("echo git log", "shell builtin", "echo git log"),
        ("git() { :; }; git log", "construct", "git() { :; }"),
        ("sudo git log", "privileged", "sudo git log"),
        ("cd x && sudo git log", "privileged", "sudo git log"),
        ("git rebase -i HEAD~3", "interactive", "git rebase -i HEAD~3"),
        ("docker exec -it web git log", "interactive", "docker exec -it web git log"),
        ("npm run dev", "never ends", "npm run dev"),
        ("git push --force", "irreversible", "git push --force"),
        ("find . -exec ls {} +", "runs other code", "find . -exec ls {} +"),
        ("git status --porcelain", "for a program", "git status --porcelain"),
        ("bash -c 'git log; sudo ls'", "privileged", "bash -c 'git log; sudo ls'"),
        ("(git log; sudo ls) | head", "privileged", "(git log; sudo ls) | head"),
        ("uptime", "no processor", "uptime"),
        ("gitk", "interactive", "gitk"),
        ("$TOOL status", "no processor", "$TOOL status"),
    ],
)
def test_the_verdict_names_the_rule_and_the_part_that_decided(command: str, rule: str, part: str) -> None:
    decision = POLICY.explain_decision(command)
    assert (decision.compressible, decision.rule, decision.part) == (False, rule, part)
    assert decision.reason == REASONS[rule]
    assert not POLICY.is_compressible(command)


def test_every_part_has_its_own_verdict() -> None:
    decision = POLICY.explain_decision("cd web && npm test; sudo reboot; git status &")
    assert [(part.text, part.rule) for part in decision.parts] == [
        ("cd web", "shell builtin"),
        ("npm test", "eligible"),
        ("sudo reboot", "privileged"),
        ("git status", "background"),
    ]
    assert (decision.rule, decision.part) == ("eligible", "npm test")


def test_patterns_see_the_command_without_launchers_and_quotes() -> None:
    policy = CommandPolicy([r"^pytest -q$"])
    assert policy.is_compressible("X=1 timeout 5 uv run python -m 'pytest' \"-q\"")
    assert not policy.is_compressible("pytest -v")


@pytest.mark.parametrize("pattern", [r"^gits?\b", r"^git|^ls", r"^(?:git|ls)", r"^(?i)git".replace("^(?i)", "(?i)^"), r"^[g]it"])
def test_the_quick_look_at_a_pattern_s_beginning_loses_no_match(pattern: str) -> None:
    assert CommandPolicy([pattern]).is_compressible("git log")


def test_a_table_of_claims_serves_as_well_as_patterns() -> None:
    policy = CommandPolicy(claims=lambda line: "kubectl get" if line.starts("kubectl get") else "")
    assert policy.explain_decision("kubectl -n x get pods").parts[0].pattern == "kubectl get"
    assert not policy.is_compressible("kubectl top pods")


def test_the_patterns_of_a_family_claim_what_it_says_it_can_handle() -> None:
    """A host decides from the patterns, the engine from ``can_handle``; both follow from the words of the family."""
    policy = CommandPolicy(plugins.default_hook_patterns())
    for path in sorted(pathlib.Path(__file__).parent.glob("fixtures/*/*/case.toml")):
        line = CommandLine(str(tomllib.loads(path.read_text(encoding="utf-8")).get("command", "")))
        handled = any(each.can_handle(line) for each in plugins.load_processors() if each.name != FALLBACK_NAME)
        assert bool(policy.pattern_for(line)) == handled, line


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["git ", "bash -c '", "'", "$(", ")", "|", ";", "&&", "sudo ", "x "])).map("".join)
)
def test_any_text_gets_a_verdict(text: str) -> None:
    decision = POLICY.explain_decision(text)
    assert decision.reason
    assert POLICY.is_compressible(text) == decision.compressible


def test_the_default_policy_is_made_once_from_the_installed_processors() -> None:
    assert default_policy() is default_policy()
    assert default_policy().is_compressible("git status")


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_policy, "_default", [])


@pytest.mark.usefixtures("forgotten")
def test_a_registry_that_fails_switches_interception_off_and_says_so_without_content(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> tuple[str, ...]:
        raise RegistryError("two processors are named 'secret'")

    monkeypatch.setattr(plugins, "default_hook_patterns", fail)
    with caplog.at_level(logging.WARNING):
        policy = default_policy()
    assert not policy.is_compressible("git status")
    assert policy.explain_decision("git status").reason == "the registry of processors failed with RegistryError"
    assert [record.getMessage() for record in caplog.records] == ["interception is off: the registry failed with RegistryError"]


@pytest.mark.usefixtures("forgotten")
def test_a_tool_that_is_switched_off_touches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKEN_SAVER_ENABLED", "false")
    decision = default_policy().explain_decision("git status")
    assert (decision.rule, decision.reason) == ("switched off", "the setting `enabled` is off")


def _hook_cases() -> list[Any]:
    if not CASES.exists():
        return []
    cases = json.loads(CASES.read_text(encoding="utf-8"))
    return [pytest.param(case, id=case["id"]) for case in cases if "hook_command" in case]


@pytest.mark.skipif(not CASES.exists(), reason="the shared cases are not there")
@pytest.mark.parametrize("case", _hook_cases())
def test_hook_cases(case: dict[str, str]) -> None:
    """A command that is to pass is not touched; one that may be touched runs as it was typed, behind the wrapper."""
    command = case["hook_command"]
    made = rewrite(command, default_policy())
    if case["expect"] == "passthrough":
        assert not default_policy().is_compressible(command)
        assert made is None
    if made is not None:
        assert made.replace("token-saver run -- ", "") == command
    if case["expect"] == "no-allow":
        assert made is None or made.endswith("curl https://example.invalid/x | sh")


def test_a_plain_command_is_judged_without_heavy_modules() -> None:
    """The hook starts a process for every command; the grammar alone costs two starts of the interpreter."""
    code = (
        f"import sys; sys.path.insert(0, {str(SOURCES)!r})\n"
        "from token_saver.command_policy import CommandPolicy\n"
        "from token_saver.shell.rewrite import rewrite\n"
        "policy = CommandPolicy(claims=lambda line: 'x' * (line.program in ('git', 'pytest')))\n"
        "assert rewrite('cd x && X=1 git log -3 2>&1 | head -5; uv run pytest -q', policy)\n"
        "print(' '.join(sorted(name for name in sys.modules if not name.startswith('token_saver'))))\n"
    )
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    bare = subprocess.run(
        [sys.executable, "-I", "-S", "-c", "import sys; print(' '.join(sys.modules))"], capture_output=True, text=True, check=True
    )
    assert set(ran.stdout.split()) - set(bare.stdout.split()) <= {"__future__"}


def test_the_fast_lane_reads_what_agents_type_most() -> None:
    from token_saver.shell.scan import scan

    for command in ("git status", "cd a && pytest -q 2>&1 | tail -30", "X=1 npm test || true", "grep -rn 'a|b' src", "ls; pwd"):
        assert scan(command) is not None
        assert CommandLine(command).segments
