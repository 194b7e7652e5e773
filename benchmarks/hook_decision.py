"""Reads the event that Claude Code sends before it uses a tool, and answers as its hook would."""

from __future__ import annotations

import posix

from token_saver import snapshot
from token_saver.hosts.decide import CLOSER, WRAP, decide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def start() -> NoReturn:
    """Answer the event on stdin and end the process."""
    command = snapshot.parsed(_stdin().decode())["tool_input"]["command"]
    place = snapshot.folder(posix.environ)
    registry = snapshot.read(place)
    if registry is None or not registry.is_fresh(posix.environ):
        posix._exit(1)
    verdict = decide(command, registry)
    if verdict == CLOSER:
        verdict = _closer(command, registry, place)
    if verdict == WRAP:
        _answer(command)
    posix._exit(0)


def _stdin() -> bytes:
    read = b""
    while chunk := posix.read(0, 65_536):
        read += chunk
    return read


def _closer(command: str, registry: snapshot.Snapshot, place: str) -> str:
    registry.extend_path()
    snapshot.use_archive(place)
    from token_saver.command_policy import CommandPolicy

    policy = CommandPolicy(claims=lambda line: line.program if registry.claims(line.program, list(line.operands)) else "")
    return WRAP if policy.is_compressible(command) else ""


def _answer(command: str) -> None:
    from _json import encode_basestring_ascii as quoted

    rewritten = quoted(f"token-saver run -- {command}")
    answer = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":%s}}}\n'
    posix.write(1, (answer % rewritten).encode())
