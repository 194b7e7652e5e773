"""A throw-away project in which a command is recorded."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

_SETTLED = 1_709_287_200  # 2024-03-01 10:00 UTC: far enough back that ls prints the year

# Names in the environment that tell a tool how to reach its registry from here.
_NETWORK = ("CERT", "CA_BUNDLE", "CAINFO", "PROXY")

_GITCONFIG = """\
[user]
\tname = Mara Lindqvist
\temail = mara@harbor.example
[init]
\tdefaultBranch = main
[protocol "file"]
\tallow = always
"""


class Project:
    """A folder to work in, a home beside it, and the environment for both.

    The folder's path is as long as ``/home/dev/project``, which stands for it in a capture, so that tools which pad or
    wrap by width print what they would have printed there.
    """

    def __init__(self, root: Path, home: Path, tools: Path | None) -> None:
        self.root = root
        self.home = home
        self.tools = tools
        self.locale = "C.UTF-8"
        self.terminal = False
        (home / ".gitconfig").write_text(_GITCONFIG)

    @property
    def env(self) -> dict[str, str]:
        """The environment of every command; the same on every machine except for the way to the network."""
        reach = {name: value for name, value in os.environ.items() if any(part in name.upper() for part in _NETWORK)}
        return reach | {
            "PATH": self._path(),
            "HOME": str(self.home),
            "TERM": "xterm-256color" if self.terminal else "dumb",
            "COLUMNS": "120",
            "LINES": "40",
            "LC_ALL": self.locale,
            "LANGUAGE": "",
            "TZ": "UTC",
            "PAGER": "cat",
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "NPM_CONFIG_UPDATE_NOTIFIER": "false",
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "GIT_CONFIG_NOSYSTEM": "1",
            **_git_dates("2024-03-01T09:00:00+01:00"),
        }

    def write(self, files: Mapping[str, str]) -> None:
        """Write *files* (path below the project → text); common indentation goes."""
        for path, text in files.items():
            target = self.root / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(dedent(text), encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace *old*, which must be there, by *new* in the file at *path*."""
        target = self.root / path
        text = target.read_text(encoding="utf-8")
        if old not in text:
            raise ValueError(f"{path} does not hold {old!r}")
        target.write_text(text.replace(old, new), encoding="utf-8")

    def shell(self, script: str, folder: str = ".", **env: str) -> None:
        """Run preparing steps, stopping at the first that fails; *env* adds to the environment."""
        done = subprocess.run(
            ["bash", "-ec", script],
            cwd=self.root / folder,
            env=self.env | env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode:
            raise ValueError(f"step {script!r} ended with {done.returncode}:\n{done.stdout}{done.stderr}")

    def commit(self, message: str, date: str, author: str = "Mara Lindqvist", folder: str = ".") -> None:
        """Commit everything in *folder* with a fixed date and author, so that hashes are the same each time."""
        email = author.split()[0].lower() + "@harbor.example"
        names = {"GIT_AUTHOR_NAME": author, "GIT_AUTHOR_EMAIL": email}
        self.shell('git add -A && git commit -q -m "$MESSAGE"', folder, MESSAGE=message, **names, **_git_dates(date))

    def settle(self) -> None:
        """Give every file and folder the same time, so that listings do not change from one recording to the next."""
        for path in [self.root, *self.root.rglob("*")]:
            os.utime(path, (_SETTLED, _SETTLED), follow_symlinks=False)

    def which(self, program: str) -> str | None:
        """Return where *program* is, None when it is not installed."""
        return shutil.which(program, path=self._path())

    def _path(self) -> str:
        own = [self.root / ".venv" / "bin"] + ([self.tools / "bin"] if self.tools else [])
        return os.pathsep.join([*map(str, own), os.environ["PATH"]])


def _git_dates(date: str) -> dict[str, str]:
    return {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}


@contextmanager
def fresh_project(tools: Path | None) -> Iterator[Project]:
    """Make a project, and remove it and its home afterwards."""
    root = Path(tempfile.mkdtemp(prefix="rec-", dir="/tmp"))
    home = Path(tempfile.mkdtemp(prefix="rec-home-", dir="/tmp"))
    root.chmod(0o755)
    try:
        yield Project(root, home, tools)
    finally:
        shutil.rmtree(root, ignore_errors=True)
        shutil.rmtree(home, ignore_errors=True)
