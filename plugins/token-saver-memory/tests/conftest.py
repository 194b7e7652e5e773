"""A memory of its own for every test, and real repositories of git."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from token_saver_memory.memory import Memory, open_memory
from token_saver_memory.values import Scope

GIT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


def git(folder: Path, *arguments: str) -> str:
    """Run git in *folder* and return what it prints."""
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], check=True, capture_output=True, text=True, env={**os.environ, **GIT}
    )
    return done.stdout.strip()


class Repository:
    """A repository whose files are written and committed in one call."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        git(path, "init", "-q", "-b", "main")

    def write(self, **files: str) -> None:
        """Write files; ``__`` in a name stands for ``/`` and the last ``_`` for the dot."""
        for name, text in files.items():
            folder, _, base = name.rpartition("__")
            target = self.path / folder.replace("__", "/") / ".".join(base.rsplit("_", 1))
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)

    def commit(self, message: str = "change", **files: str) -> str:
        """Write *files*, commit all there is and return the commit."""
        self.write(**files)
        git(self.path, "add", "-A")
        git(self.path, "commit", "-qm", message, "--allow-empty")
        return git(self.path, "rev-parse", "--short", "HEAD")


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep everything of the test under its own folder."""
    folder = tmp_path / "data"
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def memory(data_folder: Path) -> Iterator[Memory]:
    with open_memory() as opened:
        yield opened
        # Whatever a test did, the index of words is in step with the rows.
        opened.connection.execute("INSERT INTO item_fts (item_fts, rank) VALUES ('integrity-check', 1)")


@pytest.fixture
def make_repository(tmp_path: Path) -> Callable[[str], Repository]:
    """Return what makes a repository of a name."""
    return lambda name: Repository(tmp_path / name)


@pytest.fixture
def repository(make_repository: Callable[[str], Repository]) -> Repository:
    return make_repository("alpha")


@pytest.fixture
def scope(memory: Memory, repository: Repository) -> Scope:
    found = memory.scope(str(repository.path))
    assert found is not None
    return found
