"""Nothing in the package stands there unused. What only tests use counts as used, since a test is a reader too."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent


@pytest.mark.slow
def test_nothing_is_unused() -> None:
    done = subprocess.run([sys.executable, "-m", "vulture"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    unused = [line for line in done.stdout.splitlines() if line.startswith("src/")]
    assert unused == []
