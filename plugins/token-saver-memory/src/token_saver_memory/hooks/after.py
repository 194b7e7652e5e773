"""PostToolUse: what a command that succeeded tells of the machine and of the session is kept."""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

from token_saver.errors import TokenSaverError
from token_saver.events import HostEvent, Reply
from token_saver_memory.hooks import quiet, rollup
from token_saver_memory.hooks.edit import EDITORS, SHELLS, edited_file
from token_saver_memory.hooks.visit import Visit, visit
from token_saver_memory.rules import guard
from token_saver_memory.rules.catalogue import simple_commands
from token_saver_memory.values import TOOL, Draft

if TYPE_CHECKING:
    from collections.abc import Mapping

PLANNERS = ("TodoWrite",)
"""The tool of Claude Code that lists what is to be done."""
_COMMIT = re.compile(r"^git (?:-C \S+ )?commit\b")


@quiet.hook
def after_tool(event: HostEvent) -> Reply | None:
    """Learn from a tool that ran; there is nothing to say to the model."""
    if event.tool in SHELLS and not succeeded(event.tool_response):
        return None
    with visit(event) as here:
        if here is not None:
            _learn(here)
    return None


def _learn(here: Visit) -> None:
    event = here.event
    if event.tool in EDITORS:
        rollup.add(here, "investigated", edited_file(event.tool_input, event.cwd, here.scope.top))
    elif event.tool in PLANNERS:
        rollup.put(here, "next_steps", "\n".join(open_steps(event.tool_input)))
    elif event.tool in SHELLS and isinstance(line := event.tool_input.get("command"), str):
        _ran(here, line)


def _ran(here: Visit, line: str) -> None:
    call = guard.Call(here.session, here.event.tool, {}, here.scope.project_id)
    with here.memory.writing("system", here.session, "rules") as connection:
        guard.succeeded(connection, call, line)
    for command in simple_commands(line):
        if _COMMIT.match(command):
            rollup.add(here, "completed", message_of(command))
        if kind := captured_as(command):
            _capture(here, command, kind)


def _capture(here: Visit, command: str, kind: str) -> None:
    draft = Draft(here.scope, kind, f"ran here: {command}"[:160], subject=" ".join(command.split()[:3]))
    try:
        here.memory.save(draft, actor=TOOL, session=here.session, reason="a command that succeeded")
    except TokenSaverError:
        return


@cache
def _captures() -> Mapping[str, str]:
    with open(os.path.join(os.path.dirname(__file__), "captures.toml"), "rb") as file:
        return tomllib.load(file)


def captured_as(command: str) -> str:
    """Return as which kind a command that succeeded is kept, "" for most."""
    return next((kind for kind, pattern in _captures().items() if re.search(pattern, command)), "")


def succeeded(response: Any) -> bool:
    """Say whether a shell tool ran to a good end; a host may answer with an object, a text, or a list."""
    if isinstance(response, list):
        return all(map(succeeded, response))
    if not isinstance(response, dict):
        return True
    codes = [response.get(name) for name in ("exit_code", "exitCode", "returncode")]
    return not (response.get("interrupted") or response.get("is_error") or response.get("error") or any(codes))


def open_steps(arguments: Mapping[str, Any]) -> list[str]:
    """Return what is left to do of a list of steps."""
    steps = arguments.get("todos")
    listed = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    return [str(step.get("content", "")) for step in listed if step.get("status") != "completed"]


def message_of(command: str) -> str:
    """Return the message of a ``git commit``, the command without one."""
    found = re.search(r" (?:-[a-zA-Z]*m|--message)[ =](.+?)(?: -\S.*)?$", command)
    return found[1] if found else command
