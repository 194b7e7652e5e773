"""The doctor finds what is broken, each way of breaking it, and is content with what works."""

from __future__ import annotations

import json
import pathlib

import pytest
from tests.hosts.test_init import Cli

pytestmark = pytest.mark.slow
LAUNCHERS = ".local/share/token-saver/bin"


@pytest.fixture
def cli(tmp_path: pathlib.Path) -> Cli:
    return Cli(tmp_path)


@pytest.mark.parametrize(
    "host", ["claude --mode prefix", "claude --mode hybrid", "gemini", "codex", "antigravity", "antigravity --mode after-tool"]
)
def test_what_works_is_proved(cli: Cli, host: str) -> None:
    cli("init", *host.split())
    told = cli("doctor")
    assert "FAIL" not in told and "saved, status 3 kept" in told
    assert told.count(" ms\n") >= 2


def test_json_has_all_findings(cli: Cli) -> None:
    cli("init", "claude", "--mode", "post")
    found = json.loads(cli("doctor", "--format", "json"))
    assert found["well"] is True and found["schema_version"] == 1
    assert any("PostToolUse" in finding["subject"] and "% saved" in finding["what"] for finding in found["findings"])
    assert {finding["state"] for finding in found["findings"]} <= {"ok", "note"}


def test_nothing_connected_is_no_failure_but_is_told(cli: Cli) -> None:
    (cli.home / ".codex").mkdir()
    assert "Codex CLI: found, but not connected" in cli("doctor")


@pytest.mark.parametrize("variable", ["TOKEN_SAVER", "TOKEN_SAVER_ENABLED"])
def test_a_switch_that_is_off_is_named(cli: Cli, variable: str) -> None:
    cli("init", "claude", "--mode", "post")
    told = cli("doctor", status=1, **{variable: "off"})
    assert f"FAIL  environment: {variable}=off" in told and f"unset {variable}" in told


def test_settings_that_switch_off_are_named(cli: Cli) -> None:
    (cli.home / ".config/token-saver").mkdir(parents=True)
    (cli.home / ".config/token-saver/config.toml").write_text("enabled = false\n")
    told = cli("doctor", status=1, XDG_CONFIG_HOME=str(cli.home / ".config"))
    assert "`enabled` is off" in told


@pytest.mark.parametrize("mode", ["prefix", "post"])
def test_a_moved_environment_is_told_with_what_to_do(cli: Cli, mode: str) -> None:
    cli("init", "claude", "--mode", mode)
    for launcher in (cli.home / LAUNCHERS).iterdir():
        launcher.write_text(launcher.read_text().replace("/python", "/nowhere/python"))
    told = cli("doctor", status=1)
    assert "starts another installation" in told and "run `token-saver init` again" in told
    cli("init", "claude", "--mode", mode)
    cli("doctor")


def test_a_hook_that_somebody_took_out_is_told(cli: Cli) -> None:
    cli("init", "claude", "--mode", "post")
    (cli.home / ".claude/settings.json").write_text("{}")
    assert "is not what was put there" in cli("doctor", status=1)


def test_a_hook_that_prints_noise_is_told(cli: Cli) -> None:
    cli("init", "gemini")
    launcher = cli.home / LAUNCHERS / "hook"
    launcher.write_text(launcher.read_text().replace("exec", "echo noise >&2; exec"))
    assert "printed on stderr" in cli("doctor", status=1)
    launcher.write_text("#!/bin/sh\nexit 0\n" + launcher.read_text())
    assert "silent about an event" in cli("doctor", status=1)


def test_permission_rules_are_shown_and_respected(cli: Cli) -> None:
    cli("init", "claude", "--mode", "wrap")
    path = cli.home / ".claude/settings.json"
    settings = json.loads(path.read_text())
    path.write_text(json.dumps({**settings, "permissions": {"ask": ["Bash(pytest:*)"], "allow": ["Bash(ls:*)"]}}))
    told = cli("doctor")
    assert "1 rules deny or ask, 1 allow" in told and "silent, because your rules" in told


def test_failures_that_were_met_with_silence_are_told(cli: Cli) -> None:
    cli("init", "claude", "--mode", "post")
    log = next((cli.home / ".cache/token-saver").iterdir()) / "trouble.log"
    log.write_text("2026-11-30T12:00:00Z hook claude NotAnEventError\n")
    assert "1 failures of ours were met with silence" in cli("doctor")


def test_the_mode_in_force_is_told_and_what_stands_against_it(cli: Cli) -> None:
    cli("init", "claude")
    assert "prefix mode: commands are started" in cli("doctor")
    local = cli.home / ".claude/settings.local.json"
    local.write_text('{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/other"}}')
    assert "sets CLAUDE_CODE_SHELL_PREFIX to something else" in cli("doctor", status=1)
    local.write_text('{"disableAllHooks": true}')
    cli("doctor")
    cli("init", "claude", "--mode", "post")
    told = cli("doctor", status=1)
    assert "outputs are replaced after" in told and "`disableAllHooks`" in told
