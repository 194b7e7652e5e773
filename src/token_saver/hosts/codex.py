"""Codex CLI: ``PreToolUse`` takes an updated input only together with ``allow``.

So a command is rewritten only when the user's own policy runs it unasked anyway: the host says so itself in
``permission_mode``, or the user's configuration does. Rules that forbid or ask about commands would not know the rewritten
one; where there are any, nothing is rewritten.
"""

from __future__ import annotations

import posix

from token_saver import snapshot
from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

NAME = "codex"
_TOOLS = frozenset({"Bash", "shell", "exec_command", "local_shell"})
_UNASKED = "bypassPermissions"
_BINDING = ("forbidden", "prompt")


def answer(event: Mapping[str, Any], words: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the rewritten input, None to leave everything to the host."""
    command = protocol.command_in(event, "tool_input", "command")
    if event.get("hook_event_name") != "PreToolUse" or event.get("tool_name") not in _TOOLS:
        return None
    if not command or protocol.table(event, "tool_input").get("run_in_background"):
        return None
    from token_saver.hosts import compiled

    if compiled.is_switched_off() or not (ours := compiled.Compiled()).knows(command) or not _runs_unasked(event):
        return None
    rewritten = ours.rewritten(command)
    if rewritten is None:
        return None
    updated = {**protocol.table(event, "tool_input"), "command": rewritten}
    output = {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": updated}
    return {"hookSpecificOutput": output}


def _runs_unasked(event: Mapping[str, Any]) -> bool:
    home = snapshot.variable(posix.environ, "CODEX_HOME") or (snapshot.variable(posix.environ, "HOME") or "") + "/.codex"
    project = (protocol.text(event, "cwd") or posix.getcwd()) + "/.codex"
    if any(map(_binds, [*_rule_files(home), *_rule_files(project)])):
        return False
    mode = event.get("permission_mode")
    return mode == _UNASKED if mode is not None else _configured(home, project)


def _configured(home: str, project: str) -> bool:
    """Whether the user's configuration never asks, and no project says something else."""
    import tomllib

    if snapshot.stamp(project + "/config.toml"):
        return False
    try:
        with open(home + "/config.toml", "rb") as file:
            found = tomllib.load(file)
    except (OSError, ValueError):
        return False
    profile = protocol.table(protocol.table(found, "profiles"), str(found.get("profile")))
    return bool(profile.get("approval_policy", found.get("approval_policy")) == "never")


def _rule_files(folder: str) -> Iterator[str]:
    try:
        yield from (f"{folder}/rules/{name}" for name in posix.listdir(folder + "/rules") if name.endswith(".rules"))
    except OSError:
        return


def _binds(path: str) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
    except OSError:
        return True
    return any(word in text for word in _BINDING)
