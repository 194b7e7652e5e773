"""The doctor finds what is broken, each way of breaking it, and is content with what works."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess

import pytest
from tests.hosts.processes import environment
from tests.hosts.test_init import Cli

from token_saver.hosts import plugin_checks

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


def plugin(folder: pathlib.Path, name: str, body: str) -> str:
    """Make a distribution with one plugin in *folder*, and return that."""
    information = folder / f"{name}-1.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (information / "entry_points.txt").write_text(f"[token_saver]\n{name} = {name}\n")
    (folder / f"{name}.py").write_text(body)
    return str(folder)


LISTENING = """
from token_saver.events import PROMPT, Reply
from token_saver.extensions import Listener
from token_saver.hookspecs import hookimpl

@hookimpl
def token_saver_listeners():
    return [Listener(PROMPT, "listening:heard")]

def heard(event):
    return Reply("heard: " + event.prompt)
"""


def test_a_plugin_that_is_left_out_is_told(cli: Cli) -> None:
    folder = plugin(cli.home / "site", "broken_plugin", "raise RuntimeError('no')\n")
    told = cli("doctor", status=1, PYTHONPATH=folder)
    assert "FAIL  plugins: broken_plugin cannot be loaded: RuntimeError" in told and "no')" not in told


def test_what_a_plugin_listens_to_is_sent_and_told(cli: Cli) -> None:
    folder = plugin(cli.home / "site", "listening", LISTENING)
    cli("init", "claude", PYTHONPATH=folder)
    told = cli("doctor", PYTHONPATH=folder)
    assert "UserPromptSubmit" in told and "plugins are told of" in told
    settings = json.loads((cli.home / ".claude/settings.json").read_text())
    [command] = [handler["command"] for group in settings["hooks"]["UserPromptSubmit"] for handler in group["hooks"]]
    event = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": "well?", "cwd": str(cli.home)})
    done = subprocess.run(["/bin/sh", "-c", command], input=event.encode(), env=environment(cli.home), capture_output=True)
    assert "heard: well?" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_listeners_whose_events_are_not_sent_are_told(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(plugin(tmp_path, "listening", LISTENING))
    [finding] = plugin_checks.of_listeners([{"path": "settings.json", "entries": []}])
    assert finding.state == "wrong" and "UserPromptSubmit" in finding.what and "token-saver init" in finding.advice
    assert list(plugin_checks.of_listeners([])) == [], "without Claude Code nobody misses them"


def test_the_state_of_the_snapshot_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(cli.home))
    (cli.home / ".config/token-saver").mkdir(parents=True)
    cli("init", "claude", "--mode", "wrap")
    folder = next((cli.home / ".cache/token-saver").iterdir())
    registry = folder / "registry"
    whole = registry.read_bytes()
    assert state() == "ok"
    registry.write_bytes(whole[:-1] + b"?")
    assert state() == "note" and "damaged" in what()
    registry.write_bytes(whole)
    (cli.home / ".config/token-saver/config.toml").write_text("")
    assert state() == "note" and "config.toml changed" in what()
    registry.unlink()
    assert state() == "note" and "none yet" in what()
    if os.geteuid():
        folder.chmod(0o500)
        assert state() == "wrong"


def state() -> str:
    return next(plugin_checks.of_snapshot()).state


def what() -> str:
    return next(plugin_checks.of_snapshot()).what


@pytest.mark.parametrize("host", ["claude --mode prefix", "claude --mode post", "gemini"])
def test_its_own_runs_are_in_no_statistics(cli: Cli, host: str) -> None:
    """What it sends through the chain is no command of the user's, and would be the largest saving of a first hour."""
    cli("init", *host.split())
    cli("doctor")
    assert json.loads(cli("stats", "--json"))["scopes"]["all"]["commands"] == 0
    cli("run", "--", "sh", "-c", "seq 1 400")
    assert json.loads(cli("stats", "--json"))["scopes"]["all"]["commands"] == 1
