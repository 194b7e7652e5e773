"""Real processes: the wrapper as hosts start it."""

from __future__ import annotations

import glob
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

ENTRY = pathlib.Path(__file__).parents[2] / "src/token_saver/hosts/entry.py"
START = [sys.executable, "-I", "-S", str(ENTRY)]


def environment(home: pathlib.Path, **more: str) -> dict[str, str]:
    """What the processes see: the caller's PATH, their own home and nothing that changes settings."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "LC_ALL": "C.UTF-8", **more}


class Wrapper:
    """Starts ``token-saver`` with its stdout and stderr in one pipe, as hosts do."""

    def __init__(self, home: pathlib.Path, directory: pathlib.Path) -> None:
        self.home = home
        self.directory = directory

    def start(self, *arguments: str | bytes, env: dict[str, str] | None = None, **options: Any) -> subprocess.Popen[bytes]:
        """Start it and return the process."""
        defaults: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "cwd": self.directory,
            "env": environment(self.home, **(env or {})),
        }
        return subprocess.Popen([*START, *arguments], **{**defaults, **options})

    def __call__(self, *arguments: str | bytes, input: bytes | None = None, **options: Any) -> subprocess.CompletedProcess[bytes]:  # noqa: A002
        """Run it to its end, within a minute."""
        if input is not None:
            options["stdin"] = subprocess.PIPE
        with self.start(*arguments, **options) as process:
            try:
                output, errors = process.communicate(input, timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def running(text: str) -> list[str]:
    """Return the command lines of live processes that hold *text*; a zombie has none."""
    if not os.path.isdir("/proc/self"):
        listed = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True).stdout.splitlines()
        return [line for line in listed if text in line]
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                line = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if text in line:
            found.append(line)
    return found


def wait_until(holds: Callable[[], bool], within: float = 5.0) -> bool:
    """Wait until *holds* does; tell whether it did in time."""
    end = time.monotonic() + within
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return holds()
