"""A home with a snapshot, and the wrapper in it."""

from __future__ import annotations

import pathlib
import subprocess
import time
from collections.abc import Iterator

import pytest
from tests.hosts.hooks import Hook
from tests.hosts.processes import START, Wrapper, environment, running, wait_until


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A home directory in which the snapshot has been made."""
    made = tmp_path_factory.mktemp("home")
    subprocess.run([*START, "run", "--", "true"], env=environment(made), stdout=subprocess.PIPE, check=True)
    return made


@pytest.fixture
def wrapper(home: pathlib.Path, tmp_path: pathlib.Path) -> Wrapper:
    """The wrapper, in an empty directory."""
    return Wrapper(home, tmp_path)


@pytest.fixture
def seconds() -> Iterator[str]:
    """A time to sleep that no other process sleeps, so that the sleepers of a test can be told; none may be left."""
    chosen = f"86{time.monotonic_ns() % 10**9:09}"
    yield chosen
    assert wait_until(lambda: not running(chosen)), f"left running: {running(chosen)}"


@pytest.fixture
def hook(home: pathlib.Path, tmp_path: pathlib.Path) -> Hook:
    """Hooks, in an empty directory."""
    return Hook(home, tmp_path)
