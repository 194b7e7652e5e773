"""Carries the five runs out through the real wrapper, each way of showing them in a copy of the project of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from scripts.delta_stages.projects import Project

STAGES = ("baseline", "repeat", "edit", "repeat", "fixed")
EDITED, FIXED = 2, 4
RAW, ORDINARY, DELTA, RECALL = "raw", "ordinary", "delta", "recall"
_SETTINGS: dict[str, dict[str, str]] = {
    RAW: {"TOKEN_SAVER": "off"},
    ORDINARY: {},
    DELTA: {"TOKEN_SAVER_DELTA_ENABLED": "true"},
    RECALL: {"TOKEN_SAVER_DELTA_ENABLED": "true", "TOKEN_SAVER_RECALL_ENABLED": "true"},
}
_OFFER = re.compile(r"recall (\d+)\]$")


@dataclass(frozen=True)
class Shown:
    """What one run showed and how it ended."""

    text: str
    status: int


class Sequence:
    """The five runs of *project* shown in one *way*, below *folder*."""

    def __init__(self, project: Project, way: str, folder: Path) -> None:
        self._project = project
        self._place = folder / f"{project.tool}-{way}".replace(" ", "-")
        self._work = self._place / "work"
        self._environ = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("TOKEN_SAVER", "CLAUDE"))},
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "TOKEN_SAVER_DATA_DIR": str(self._place / "data"),
            "TOKEN_SAVER_SESSION": "stages",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **_SETTINGS[way],
        }

    def run(self) -> list[Shown]:
        """Carry out all five runs."""
        self._write(self._project.files)
        shown = []
        for stage in range(len(STAGES)):
            if stage in (EDITED, FIXED):
                self._write(self._project.edit if stage == EDITED else self._project.fixed)
            shown.append(self._token_saver("run", "-c", self._project.command))
        return shown

    def recalled(self, shown: Shown, *part: str) -> str:
        """Return what brings back the whole output behind *shown*, or a *part* of it; "" where nothing was left out."""
        offer = _OFFER.search(shown.text.rstrip())
        return self._token_saver("recall", offer[1], *part).text if offer else ""

    def _write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self._work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def _token_saver(self, *words: str) -> Shown:
        done = subprocess.run(
            [sys.executable, "-m", "token_saver", *words],
            cwd=self._work,
            env=self._environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            timeout=300,
            check=False,
        )
        return Shown(done.stdout.decode("utf-8", "replace"), done.returncode)
