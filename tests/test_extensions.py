"""What an installed plugin brings beside processors: real processes, and a distribution that lies outside the repository."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Mapping

import pytest

from token_saver.hosts.compiled import ENTRY

PLUGIN = """
from token_saver.events import AFTER_TOOL, BEFORE_TOOL, SESSION_START, Reply
from token_saver.extensions import Listener, PluginHost
from token_saver.hookspecs import hookimpl
import token_saver_tried.commands

@hookimpl
def token_saver_listeners():
    return [
        Listener(SESSION_START, "token_saver_tried.events:greet"),
        Listener(SESSION_START, "token_saver_tried.events:fail"),
        Listener(SESSION_START, "token_saver_tried.missing:gone"),
        Listener(BEFORE_TOOL, "token_saver_tried.events:refuse", ("Edit", "Write")),
        "not a listener",
    ]

@hookimpl
def token_saver_hosts():
    return [PluginHost("tried", "token_saver_tried.host")]

@hookimpl
def token_saver_commands():
    return [token_saver_tried.commands, object()]
"""
EVENTS = """
from token_saver.events import Reply

def greet(event):
    return Reply(context=f"{event.host} {event.session} in {event.cwd}")

def fail(event):
    raise RuntimeError("secret content")

def refuse(event):
    return Reply(refusal="not " + event.tool_input["file_path"], context="look first")
"""
HOST = """
NAME = "tried"

def answer(event, words):
    return {"echo": event["value"], "words": list(words)}
"""
COMMANDS = """
def add(commands):
    made = commands.add_parser("tried", help="say that it is here")
    made.set_defaults(command=lambda options: print("here") or 0)
"""
BROKEN = "raise RuntimeError('broken')\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a user who has two plugins, one of them broken."""
    place = tmp_path_factory.mktemp("plugin")
    package = place / "site" / "token_saver_tried"
    package.mkdir(parents=True)
    sources = {"__init__": PLUGIN, "events": EVENTS, "host": HOST, "commands": COMMANDS}
    for name, text in sources.items():
        (package / f"{name}.py").write_text(text)
    (place / "site" / "token_saver_broken.py").write_text(BROKEN)
    metadata = place / "site" / "token_saver_tried-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: token-saver-tried\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[token_saver]\ntried = token_saver_tried\nbroken = token_saver_broken\n")
    home = place / "home"
    home.mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOKEN_SAVER", "XDG_"))}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(place / "site")}


def said(environ: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "token_saver", *words], capture_output=True, text=True, env=environ, check=False)


def heard(environ: dict[str, str], words: list[str], event: Mapping[str, object]) -> str:
    """Return what the hook process answers; the snapshot is made where the plugins can be found."""
    made = "from token_saver.plugins import write_snapshot; write_snapshot()"
    subprocess.run([sys.executable, "-c", made], env=environ, check=True)
    command = [sys.executable, "-I", "-S", ENTRY, "hook", *words]
    done = subprocess.run(command, input=json.dumps(event), capture_output=True, text=True, env=environ, check=True)
    assert done.stderr == ""
    return done.stdout


def test_listeners_hear_their_events_and_one_that_fails_does_no_harm(installed: dict[str, str]) -> None:
    event = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": "/here"}
    answer = json.loads(heard(installed, ["claude", "events"], event))
    assert answer == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "claude s1 in /here"}}
    log = "".join(path.read_text() for path in pathlib.Path(installed["HOME"]).rglob("*.log"))
    assert "token_saver_tried.events" in log and "secret" not in log


@pytest.mark.parametrize(("tool", "refused"), [("Edit", True), ("Read", False), ("", False)])
def test_a_listener_hears_only_the_tools_it_named(installed: dict[str, str], tool: str, refused: bool) -> None:
    event = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": {"file_path": "a.py"}}
    answer = heard(installed, ["claude", "events"], event)
    if not refused:
        assert answer == ""
        return
    output = json.loads(answer)["hookSpecificOutput"]
    assert (output["permissionDecision"], output["permissionDecisionReason"]) == ("deny", "not a.py")
    assert output["additionalContext"] == "look first"


def test_an_event_that_nobody_wants_is_answered_by_silence(installed: dict[str, str]) -> None:
    assert heard(installed, ["claude", "events"], {"hook_event_name": "Stop"}) == ""
    assert heard(installed, ["claude", "events"], {"hook_event_name": "Unheard"}) == ""


def test_switched_off_says_nothing(installed: dict[str, str]) -> None:
    assert heard({**installed, "TOKEN_SAVER": "off"}, ["claude", "events"], {"hook_event_name": "SessionStart"}) == ""


def test_a_host_of_a_plugin_answers(installed: dict[str, str]) -> None:
    assert json.loads(heard(installed, ["tried", "x"], {"value": 7})) == {"echo": 7, "words": ["x"]}
    assert heard(installed, ["unheard"], {"value": 7}) == ""


def test_commands_of_a_plugin_stand_beside_ours(installed: dict[str, str]) -> None:
    done = said(installed, "tried")
    assert (done.stdout, done.returncode) == ("here\n", 0)
    assert "broken" in done.stderr and "Traceback" not in done.stderr
    assert "say that it is here" in said(installed, "--help").stdout


def test_our_own_commands_ask_no_plugin(installed: dict[str, str]) -> None:
    done = said(installed, "config", "path")
    assert (done.returncode, done.stderr) == (0, "")
