"""Real hook processes, started as the installed command starts them, and the recorded events of each host."""

from __future__ import annotations

import json
import pathlib
import resource
import subprocess
from collections.abc import Callable, Mapping
from typing import Any

from tests.hosts.processes import START, environment

PAYLOADS = pathlib.Path(__file__).parent / "payloads"


def payload(host: str, name: str, **changes: Any) -> dict[str, Any]:
    """Return a recorded event; *changes* replace its members."""
    found: dict[str, Any] = json.loads((PAYLOADS / host / f"{name}.json").read_text())
    return {**found, **changes}


class Hook:
    """Starts the hook of one host in a home of its own."""

    def __init__(self, home: pathlib.Path, directory: pathlib.Path) -> None:
        self.home = home
        self.directory = directory

    def raw(self, words: str, event: bytes, **more: str) -> bytes:
        """Return what the hook prints; it must end with 0, within ten seconds, and be silent on stderr."""
        done = subprocess.run(
            [*START, "hook", *words.split()],
            input=event,
            env=environment(self.home, **more),
            cwd=self.directory,
            capture_output=True,
            timeout=10,
        )
        assert (done.returncode, done.stderr) == (0, b""), done.stderr
        return done.stdout

    def __call__(self, words: str, event: Mapping[str, Any], **more: str) -> dict[str, Any] | None:
        """Return the reply, None when the hook is silent."""
        printed = self.raw(words, json.dumps({**event, "cwd": str(self.directory)}).encode(), **more)
        if not printed:
            return None
        reply: dict[str, Any] = json.loads(printed)
        return reply


def seconds_of(act: Callable[[], object]) -> float:
    """Return the processor time of the processes that *act* starts and awaits: other work on the machine does not count."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    act()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
