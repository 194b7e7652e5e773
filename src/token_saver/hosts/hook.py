"""``token-saver hook HOST [WORD…]``: read one event on stdin, reply on stdout, always end with status 0.

A hook runs for every command of a session, so whatever fails here is silence and a line in our own log.
"""

from __future__ import annotations

import posix
import sys

from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable, Sequence
    from typing import NoReturn
else:
    import _signal

HOSTS = ("claude", "codex", "gemini", "antigravity")
"""Every host has a module of its name in this package."""

MOST = 64 << 20
"""Bytes of an event; what is larger is not ours to hold."""
_CHUNK = 1 << 20

PATIENCE = 2.0
"""Seconds that everything may take which is done when the reply is out."""

afterwards: list[Callable[[], None]] = []
"""What is to be done when the reply is out; whatever fails in it is nobody's concern."""


def start() -> NoReturn:
    """Be the whole process; nothing is printed but the reply, and the interpreter's own farewell is left out."""
    main(sys.argv[2:])
    posix._exit(0)


def main(words: Sequence[str]) -> int:
    """Answer the event on stdin for the host ``words[0]``; returns 0, whatever happens."""
    try:
        reply = replied(words, _read())
    except Exception as error:
        from token_saver.hosts import trouble

        trouble.note(f"hook {words[0] if words and words[0] in HOSTS else '?'}", error)
        reply = b""
    try:
        while reply:
            reply = reply[posix.write(1, reply) :]
    except OSError:
        pass
    if afterwards:
        _finish()
    return 0


def _finish() -> None:
    """Do what is left to do when the reply is out, and end the process when that takes too long: the host waits for it."""
    _signal.signal(_signal.SIGALRM, lambda *_: posix._exit(0))
    _signal.setitimer(_signal.ITIMER_REAL, PATIENCE)
    while afterwards:
        try:
            afterwards.pop()()
        except Exception:
            continue
    _signal.setitimer(_signal.ITIMER_REAL, 0)


def replied(words: Sequence[str], raw: bytes) -> bytes:
    """Return the bytes of the reply to *raw*, b"" for silence; raises whatever is wrong."""
    if not words:
        raise protocol.NotAnEventError("no host is named")
    reply = _host(words[0]).answer(protocol.parse(raw), words[1:])
    return b"" if reply is None else protocol.render(reply).encode("ascii") + b"\n"


def _host(name: str) -> protocol.Host:
    """Return the adapter of a host, ours or a plugin's; raises NotAnEventError when there is none."""
    if name in HOSTS:
        ours: protocol.Host = getattr(__import__("token_saver.hosts", fromlist=[name]), name)
        return ours
    from token_saver.hosts.compiled import Compiled

    for row in Compiled().registry.content["hosts"]:
        known, _, module = row.partition("\t")
        if known == name:
            theirs: protocol.Host = __import__(module, fromlist=["answer"])
            return theirs
    raise protocol.NotAnEventError("no such host")


def _read() -> bytes:
    chunks = []
    size = 0
    while chunk := posix.read(0, _CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > MOST:
            raise protocol.NotAnEventError("too large")
    return b"".join(chunks)
