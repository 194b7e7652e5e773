"""What a hook process and the prefix import: they start for every command, and a newcomer to these lists has to be meant."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import pytest
from tests.hosts.hooks import payload
from tests.hosts.processes import START, environment

HOOK = {"_json", "token_saver", "token_saver.hosts", "token_saver.hosts.hook", "token_saver.hosts.protocol"}
ADAPTER = {"token_saver.hosts.claude"}
PLAIN = {"token_saver.hosts.decide", "token_saver.hosts.permissions", "token_saver.hosts.wrapper"}
SNAPSHOT = {"token_saver.hosts.compiled", "token_saver.hosts.shorten", "token_saver.snapshot"}
VERDICT = {
    f"token_saver.{name}"
    for name in (
        "command_policy",
        *("shell", "shell.script"),
        *(f"shell.{name}" for name in ("arguments", "behaviour", "behaviour_table", "command_line", "filters", "launchers")),
        *(f"shell.{name}" for name in ("options", "rewrite", "scan", "surroundings", "words", "wrapping")),
    )
}
CHAIN = "cd web && git log -5"
INTERPRETER = {"__future__", "zipimport", "encodings", "codecs", "gc", "time", "io", "abc", "pwd"}


def imported(home: pathlib.Path, words: list[str], event: dict[str, Any]) -> set[str]:
    """Return the modules that the process imports beyond those of a bare interpreter."""
    start = [START[0], "-X", "importtime", *START[1:]]
    done = subprocess.run([*start, *words], input=json.dumps(event).encode(), env=environment(home), capture_output=True)
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines[1:]} - bare(home)


def bare(home: pathlib.Path) -> set[str]:
    done = subprocess.run([START[0], "-X", "importtime", "-I", "-S", "-c", "pass"], env=environment(home), capture_output=True)
    return {line.rpartition("|")[2].strip() for line in done.stderr.decode().splitlines()}


@pytest.mark.parametrize(
    ("event", "allowed"),
    [
        (payload("claude", "read_file"), HOOK | ADAPTER),
        (payload("claude", "pre_tool_use", tool_input={"command": "echo hello"}), HOOK | ADAPTER | SNAPSHOT),
        (payload("claude", "pre_tool_use", cwd="/"), HOOK | ADAPTER | SNAPSHOT | PLAIN),
        (payload("claude", "pre_tool_use", cwd="/", tool_input={"command": CHAIN}), HOOK | ADAPTER | SNAPSHOT | PLAIN | VERDICT),
    ],
    ids=["other tool", "unknown command", "plain command", "chain"],
)
def test_a_hook_imports_what_its_event_needs(home: pathlib.Path, event: dict[str, Any], allowed: set[str]) -> None:
    found = imported(home, ["hook", "claude", "wrap"], event)
    assert found - INTERPRETER <= allowed, sorted(found - INTERPRETER - allowed)
    assert "token_saver.hosts.claude" in found


def test_the_prefix_imports_nothing_for_what_is_not_the_agents(home: pathlib.Path) -> None:
    found = imported(home, ["prefix", "true"], {})
    assert {name for name in found if name.startswith("token_saver")} <= {
        "token_saver",
        "token_saver.hosts",
        "token_saver.hosts.prefix",
        "token_saver.hosts.wrapper",
    }
