"""PreToolUse and PostToolUse of a shell: the rules before a command, and what one that succeeded tells is kept.

Most commands concern neither; those are told apart before anything of the memory is imported.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache
from typing import TYPE_CHECKING, Any

from token_saver.events import HostEvent, Reply
from token_saver_memory.hooks import quiet
from token_saver_memory.rules import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from token_saver_memory.hooks.visit import Visit

_COMMIT = re.compile(r"^git (?:-C \S+ )?commit\b")
_MOST_TITLE = 160


@quiet.hook
def before_command(event: HostEvent) -> Reply | None:
    """Answer a command that is about to run."""
    line = event.tool_input.get("command")
    if not isinstance(line, str) or not event.session or not catalogue.about(line):
        return None
    from token_saver_memory.hooks.visit import is_off
    from token_saver_memory.memory import open_memory
    from token_saver_memory.rules import guard

    with open_memory(timeout=quiet.PATIENCE) as memory:
        quiet.stop_statements(memory.connection, quiet.budget())
        if is_off(memory, event.session):
            return None
        # A rule holds in the home folder too, which is nobody's project.
        scope = memory.scope(event.cwd)
        arguments = {"command": line, "cwd": event.cwd}
        call = guard.Call(event.session, event.tool, arguments, scope.project_id if scope else None)
        with memory.writing("system", event.session, "rules") as connection:
            verdict = guard.judged(connection, call, line)
    return Reply(context=verdict.advice, refusal=verdict.refusal) if any(verdict) else None


@quiet.hook
def after_command(event: HostEvent) -> Reply | None:
    """Learn from a command that ran; there is nothing to say to the model."""
    line = event.tool_input.get("command")
    if not isinstance(line, str) or not succeeded(event.tool_response) or not _is_of_interest(line):
        return None
    from token_saver_memory.hooks.visit import visit

    with visit(event) as here:
        if here is not None:
            _learn(here, line)
    return None


def _is_of_interest(line: str) -> bool:
    commands = catalogue.simple_commands(line)
    return bool(catalogue.fulfilled(line)) or any(_COMMIT.match(each) or captured_as(each) for each in commands)


def _learn(here: Visit, line: str) -> None:
    from token_saver_memory.hooks import rollup
    from token_saver_memory.rules import guard

    call = guard.Call(here.session, here.event.tool, {}, here.scope.project_id)
    with here.memory.writing("system", here.session, "rules") as connection:
        guard.succeeded(connection, call, line)
    for command in catalogue.simple_commands(line):
        if _COMMIT.match(command):
            rollup.add(here, "completed", message_of(command))
        if kind := captured_as(command):
            _capture(here, command, kind)


def _capture(here: Visit, command: str, kind: str) -> None:
    from token_saver.errors import TokenSaverError
    from token_saver_memory.values import TOOL, Draft

    draft = Draft(here.scope, kind, f"ran here: {command}"[:_MOST_TITLE], subject=" ".join(command.split()[:3]))
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


def message_of(command: str) -> str:
    """Return the message of a ``git commit``, the command without one."""
    found = re.search(r" (?:-[a-zA-Z]*m|--message)[ =](.+?)(?: -\S.*)?$", command)
    return found[1] if found else command
