"""Where measurements run: clean environments with this checkout in them, a home with a snapshot, a small repository."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sysconfig
import venv

from benchmarks.processes import ENTRY, OPTIONS, ROOT

_IDENTITY = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


class Place:
    """A clean environment (its ``python``), its home, and a repository with a few commits and a changed file."""

    def __init__(self, folder: pathlib.Path, distributions: int = 0) -> None:
        """Make it in *folder*; *distributions* that have nothing to do with us are installed in it too."""
        self.folder = folder
        self.repository = folder / "repository"
        self.python = str(folder / "env/bin/python")
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "LC_ALL": "C.UTF-8"}
        (folder / "home").mkdir(parents=True)
        venv.create(folder / "env", with_pip=False, symlinks=True)
        _install(next((folder / "env/lib").glob("python*/site-packages")), distributions)
        self.repository.mkdir()
        _commit_something(self.repository, self.environ)
        subprocess.run([self.python, *OPTIONS, ENTRY, "run", "--", "true"], env=self.environ, stdout=subprocess.PIPE, check=True)

    def event(self, command: str) -> str:
        """Write what a host says before it runs *command* to a file, and return its path."""
        path = self.folder / f"event-{len(list(self.folder.glob('event-*')))}.json"
        event = {
            "session_id": "00000000-0000-0000-0000-000000000000",
            "cwd": str(self.repository),
            "permission_mode": "default",
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": "Look at something"},
        }
        path.write_text(json.dumps(event))
        return str(path)


def _install(site: pathlib.Path, distributions: int) -> None:
    """Let the environment find our dependencies, and fill it with distributions that have entry points of their own."""
    (site / "benchmark.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT}/src\n")
    for number in range(distributions):
        info = site / f"other_{number}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: other-{number}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[console_scripts]\nother-{number} = other_{number}:main\n")


def _commit_something(repository: pathlib.Path, environ: dict[str, str]) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", *_IDENTITY, *words], cwd=repository, env=environ, stdout=subprocess.PIPE, check=True)

    git("init", "-q")
    for number in range(12):
        (repository / f"file{number}.txt").write_text("a line\n" * number)
        git("add", ".")
        git("commit", "-q", "-m", f"Say why file {number} is there")
    (repository / "file3.txt").write_text("changed\n")
    (repository / "new.txt").write_text("new\n")
