"""Code blocks of the documents, and how they are carried out.

The blocks of a page are one story: they run in order, in one empty folder with a home of its own. A block with a title is
a file that is written (```` ```python title="acme.py" ````); ``sh`` runs; in ``console`` the lines behind ``$`` run and print
what stands below them, where ``…`` stands for any lines; ``python`` runs by itself; ``json`` and ``toml`` parse. A comment
``<!-- not run: why -->`` before a block leaves it out, and says why; what stands behind ``<!-- prepare`` is run unseen.
"""

from __future__ import annotations

import fnmatch
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
_BLOCK = re.compile(
    r"(?:<!-- not run: (?P<why>[^>]+) -->\n+)?"
    r"^(?P<fence>`{3,})(?P<kind>\w*)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<text>.*?)^(?P=fence)$",
    re.S | re.M,
)
_PREPARED = re.compile(r"<!-- prepare\n(?P<text>.*?)-->", re.S)
_SECONDS = 120


class Block(NamedTuple):
    """One block: its language, its text, the file it is to be written to, and why it is not run ("" when it is)."""

    kind: str
    text: str
    title: str
    why: str


def pages() -> list[pathlib.Path]:
    """Return the pages whose blocks are carried out; those of families are generated from recordings, which are tests."""
    written = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "processors" not in path.parts]
    plugins = sorted((ROOT / "plugins").glob("*/README.md"))
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *written, *plugins]


def blocks(page: pathlib.Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    text = page.read_text("utf-8")
    prepared = [Block("sh", each["text"], "", "") for each in _PREPARED.finditer(text)]
    found = (Block(each["kind"], each["text"], each["title"] or "", each["why"] or "") for each in _BLOCK.finditer(text))
    return [*prepared, *found]


class Story:
    """The folder, the home and the environment in which the blocks of one page run."""

    def __init__(self, place: pathlib.Path) -> None:
        self.folder = place / "work"
        self.folder.mkdir()
        home = place / "home"
        home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("TOKEN_SAVER", "XDG_", "CLAUDE"))}
        path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', os.defpath)}"
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        who = {f"GIT_{role}_{part}": "A. Person" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
        self.environ = {**kept, **git, **who, "HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8", "COLUMNS": "100"}

    def tell(self, block: Block) -> None:
        """Carry out one block; raises AssertionError when it does not do what the page says."""
        if block.why:
            return
        if block.title:
            target = self.folder / block.title
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, "utf-8")
        elif block.kind in _TELLERS:
            _TELLERS[block.kind](self, block.text)

    def sh(self, text: str) -> None:
        done = self._done(["bash", "-e", "-o", "pipefail", "-c", text])
        assert done.returncode == 0, f"{text}\nended with {done.returncode}:\n{done.stdout}{done.stderr}"

    def console(self, text: str) -> None:
        for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command, _, expected = part.partition("\n")
            while command.endswith("\\"):
                more, _, expected = expected.partition("\n")
                command = f"{command}\n{more}"
            done = self._done(["bash", "-c", command])
            shown = (done.stdout + done.stderr).rstrip()
            assert fnmatch.fnmatchcase(_comparable(shown), _pattern(expected)), (
                f"$ {command}\n{shown}\n-- instead of --\n{expected}"
            )

    def python(self, text: str) -> None:
        done = self._done([sys.executable, "-c", text])
        assert done.returncode == 0, f"{text}\n{done.stderr}"

    def json(self, text: str) -> None:
        json.loads(text)

    def toml(self, text: str) -> None:
        tomllib.loads(text)

    def _done(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=self.folder, env=self.environ, capture_output=True, text=True, check=False, timeout=_SECONDS
        )


_TELLERS = {"sh": Story.sh, "console": Story.console, "python": Story.python, "json": Story.json, "toml": Story.toml}


def _comparable(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines())


def _pattern(expected: str) -> str:
    """Return a pattern in which a line of ``…`` alone, or ``…`` in a line that is no marker, stands for anything."""
    lines = []
    for line in _comparable(expected.rstrip()).splitlines():
        quoted = re.sub(r"([\[*?])", r"[\1]", line)
        lines.append(quoted if "[… " in line else quoted.replace("…", "*"))
    return "\n".join(lines)
