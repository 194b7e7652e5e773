"""A home in which the snapshot has been made."""

from __future__ import annotations

import pathlib
import subprocess

import pytest
from tests.hosts.processes import START, environment


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A home directory in which the snapshot has been made."""
    made = tmp_path_factory.mktemp("home")
    subprocess.run([*START, "run", "--", "true"], env=environment(made), stdout=subprocess.PIPE, check=True)
    return made
