"""Transcripts of Codex CLI: ``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl``.

What is read: lines of type ``response_item`` whose ``payload`` is a ``function_call`` (``call_id``, ``name``, and
``arguments``, a JSON text with the command) or a ``function_call_output`` (``call_id`` and ``output``). Of the output the
host's own lines are taken off: a JSON text with ``output`` and ``metadata.exit_code``, or lines up to ``Output:`` of which
one tells the exit status.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from token_saver.discover.entries import Answer, Call, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "codex"
SIGNS: tuple[bytes, ...] = (b'"function_call"', b'"function_call_output"')
"""A line with none of these has nothing that is read here."""
_TOOLS = frozenset({"shell", "shell_command", "exec_command", "local_shell", "container.exec"})
_OUTPUT = "Output:\n"
_MOST_ABOVE = 10
"""Lines of its own that the host writes above an output."""
_STATUS = ("Process exited with code ", "Exit code: ")
_SHELL_WORDS = 3


def folders(environ: Mapping[str, str]) -> list[str]:
    """Return where the host keeps its transcripts."""
    home = environ.get("CODEX_HOME") or os.path.join(environ.get("HOME", ""), ".codex")
    return [os.path.join(home, "sessions"), os.path.join(home, "archived_sessions")]


def read(entry: Mapping[str, Any]) -> Iterator[Call | Answer]:
    """Yield the call or the answer of one line."""
    payload = entry.get("payload")
    if entry.get("type") != "response_item" or not isinstance(payload, dict):
        return
    identifier = payload.get("call_id")
    if not isinstance(identifier, str):
        return
    if payload.get("type") == "function_call" and payload.get("name") in _TOOLS:
        command = _command(payload.get("arguments"))
        if command:
            yield Call(identifier, command, "")
    elif payload.get("type") == "function_call_output":
        yield _answer(identifier, payload.get("output"))


def _command(arguments: object) -> str:
    found = _parsed(arguments)
    command = found.get("command", found.get("cmd", "")) if isinstance(found, dict) else ""
    if isinstance(command, str):
        return command
    words = [word for word in command if isinstance(word, str)] if isinstance(command, list) else []
    if len(words) == _SHELL_WORDS and words[1] in ("-c", "-lc"):
        return words[2]
    import shlex

    return shlex.join(words)


def _answer(identifier: str, value: object) -> Answer:
    output = texts(value)
    found = _parsed(output) if output.startswith("{") else None
    if isinstance(found, dict) and isinstance(found.get("output"), str):
        metadata = found.get("metadata")
        status = metadata.get("exit_code") if isinstance(metadata, dict) else None
        return Answer(identifier, found["output"], status if isinstance(status, int) else None)
    return _below_the_hosts_lines(identifier, output)


def _below_the_hosts_lines(identifier: str, output: str) -> Answer:
    at = 0 if output.startswith(_OUTPUT) else output.find("\n" + _OUTPUT) + 1
    above = output[:at].splitlines()
    if not output.startswith(_OUTPUT, at) or len(above) > _MOST_ABOVE:
        return Answer(identifier, output, None)
    told = [line.removeprefix(sign) for line in above for sign in _STATUS if line.startswith(sign)]
    status = int(told[0]) if told and told[0].lstrip("-").isdecimal() else None
    return Answer(identifier, output[at + len(_OUTPUT) :], status)


def _parsed(value: object) -> object:
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None
