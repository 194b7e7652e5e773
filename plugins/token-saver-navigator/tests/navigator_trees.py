"""What the tests of the navigator share."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable, Mapping

Tree = Callable[[Mapping[str, str]], pathlib.Path]
"""Writes files into a working tree and returns its folder."""


def git(folder: pathlib.Path, *words: str) -> None:
    """Run git there, as somebody."""
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main")
    subprocess.run(("git", *who, "-C", str(folder), *words), check=True, capture_output=True, timeout=30)
