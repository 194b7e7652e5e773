"""What the start of a session brings: commands learn its name, and the model hears in one line what was saved so far."""

from __future__ import annotations

import posix

from token_saver.hosts import protocol, trouble

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

VARIABLE = "TOKEN_SAVER_SESSION"
_HOSTS_FILE = b"CLAUDE_ENV_FILE"
_IN_A_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
_LONGEST_NAME = 128
_MOST = 1 << 20


def name_for_commands(event: Mapping[str, Any]) -> None:
    """Write the name of the session where the host reads variables for its commands, if it says where that is."""
    name = protocol.text(event, "session_id")
    path = posix.environ.get(_HOSTS_FILE, b"")
    if not path or not name or len(name) > _LONGEST_NAME or not _IN_A_NAME.issuperset(name):
        return
    try:
        _append(path, f"export {VARIABLE}={name}\n".encode())
    except OSError as error:
        trouble.note("session", error)


def savings(event: Mapping[str, Any], settings: Mapping[str, Any]) -> str:
    """Return the line about what was saved, "" when there is nothing to say."""
    if not settings["telemetry_enabled"]:
        return ""
    try:
        from token_saver.telemetry.queries import session_line

        return session_line(settings, protocol.text(event, "cwd") or posix.getcwd())
    except Exception as error:
        trouble.note("session", error)
        return ""


def _append(path: bytes, line: bytes) -> None:
    """Add a line to the host's file unless the last one of its kind says the same."""
    descriptor = posix.open(path, posix.O_RDWR | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NONBLOCK, 0o600)
    try:
        text = posix.read(descriptor, _MOST)
        ours = [each for each in text.splitlines(keepends=True) if each.startswith(line.partition(b"=")[0])]
        if ours[-1:] != [line]:
            posix.write(descriptor, (b"\n" if text and not text.endswith(b"\n") else b"") + line)
    finally:
        posix.close(descriptor)
