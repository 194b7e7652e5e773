"""Take the recording machine out of a capture: its folders, its name and its package registries."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from functools import cache
from pathlib import Path

from scripts.recording.project import Project

_REGISTRY = re.compile(rb"(?:[\w-]+\.)*(?:pypi|pythonhosted|npmjs|yarnpkg)\.(?:org|com)\b")


def scrub(made: bytes, project: Project) -> bytes:
    """Return *made* as if it had been printed on the machine ``devbox`` in ``/home/dev/project``."""
    for here, there in _places(project):
        made = made.replace(here.encode(), there.encode())
    return _REGISTRY.sub(b"registry.example", made)


def _places(project: Project) -> list[tuple[str, str]]:
    places = [(str(project.root), "/home/dev/project"), (str(project.home), "/home/dev")]
    if project.tools:
        places.append((str(project.tools), "/home/dev/tools"))
        places.append((_base_prefix(project.tools / "bin" / "python"), "/usr/local"))
    places.append((_base_prefix(Path(sys.executable)), "/usr/local"))
    host = socket.gethostname()
    return [*places, (host, "devbox")] if len(host) > 4 else places


@cache
def _base_prefix(python: Path) -> str:
    asked = subprocess.run([python, "-c", "import sys; print(sys.base_prefix)"], capture_output=True, text=True)
    return asked.stdout.strip() or sys.base_prefix
