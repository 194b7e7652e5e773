"""Run one command and return every byte it printed."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from pathlib import Path

from scripts.recording.project import Project

_LIMIT_SECONDS = 300


def run(command: str, project: Project, folder: Path) -> tuple[bytes, int]:
    """Return (stdout and stderr in the order written, exit status as a shell tells it)."""
    made, status = (_on_terminal if project.terminal else _through_pipe)(command, project, folder)
    return made, status if status >= 0 else 128 - status


def _through_pipe(command: str, project: Project, folder: Path) -> tuple[bytes, int]:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=project.env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_LIMIT_SECONDS,
    )
    return done.stdout, done.returncode


def _on_terminal(command: str, project: Project, folder: Path) -> tuple[bytes, int]:
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    child = subprocess.Popen(
        ["bash", "-c", command],
        cwd=folder,
        env=project.env,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        start_new_session=True,
    )
    os.close(follower)
    made = bytearray()
    while chunk := _read(leader):
        made += chunk
    os.close(leader)
    return bytes(made), child.wait(timeout=_LIMIT_SECONDS)


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError:  # how Linux says that the last writer has gone
        return b""
