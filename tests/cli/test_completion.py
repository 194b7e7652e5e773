"""Completion as the shells do it: a real shell reads the script and is asked to complete."""

from __future__ import annotations

import os
import pathlib
import pty
import select
import shutil
import subprocess
import sys
import time

import pytest

from token_saver.cli import main
from token_saver.cli.completion import SHELLS

needs = {shell: pytest.mark.skipif(shutil.which(shell) is None, reason=f"{shell} is not installed") for shell in SHELLS}


@pytest.fixture
def script(tmp_path: pathlib.Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]) -> pathlib.Path:
    """The script for the shell that the parameter names, in a file."""
    assert main(["completion", request.param]) == 0
    path = tmp_path / f"completion.{request.param}"
    path.write_text(capsys.readouterr().out)
    return path


QUESTIONS = [
    ("token-saver conf", {"config"}),
    ("token-saver config s", {"show"}),
    ("token-saver completion ", {"bash", "zsh", "fish"}),
    ("token-saver init --dry", {"--dry-run"}),
    ("token-saver processors show --for", {"--format"}),
]


@needs["bash"]
@pytest.mark.parametrize("script", ["bash"], indirect=True)
@pytest.mark.parametrize(("line", "expected"), QUESTIONS)
def test_bash(script: pathlib.Path, line: str, expected: set[str]) -> None:
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    asked = (
        f"source {script}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _token_saver; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    )
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, text=True, check=True)
    assert done.stderr == "" and expected <= set(done.stdout.split())
    assert line.endswith(" ") or set(done.stdout.split()) == expected


@needs["fish"]
@pytest.mark.parametrize("script", ["fish"], indirect=True)
@pytest.mark.parametrize(("line", "expected"), QUESTIONS)
def test_fish(script: pathlib.Path, line: str, expected: set[str], tmp_path: pathlib.Path) -> None:
    asked = f"source {script}; complete -C '{line}'"
    environ = {**os.environ, "HOME": str(tmp_path)}
    done = subprocess.run(["fish", "--no-config", "-c", asked], capture_output=True, text=True, check=True, env=environ)
    assert expected <= {row.split("\t")[0] for row in done.stdout.splitlines()}


@needs["zsh"]
@pytest.mark.parametrize("script", ["zsh"], indirect=True)
@pytest.mark.parametrize(("line", "expected"), QUESTIONS)
def test_zsh(script: pathlib.Path, line: str, expected: set[str], tmp_path: pathlib.Path) -> None:
    """The one candidate is put into the line; of several a list is shown."""
    environ = {**os.environ, "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "PS1": "", "TERM": "dumb"}
    (tmp_path / ".zshrc").write_text(f"autoload -Uz compinit; compinit -u; source {script}; print ready\n")
    shown = typed(["zsh", "-i"], environ, line + "\t")
    assert all(word in shown for word in expected), shown


def typed(command: list[str], environ: dict[str, str], keys: str) -> str:
    """Return what an interactive shell shows for *keys*."""
    child, terminal = pty.fork()
    if not child:
        os.execvpe(command[0], command, environ)
    seen = _until(terminal, "ready", 10)
    assert "ready" in seen, seen
    time.sleep(0.3)
    os.write(terminal, keys.encode())
    shown = _until(terminal, "", 1.5)
    os.write(terminal, b"\x03exit\n")
    os.close(terminal)
    os.waitpid(child, 0)
    return shown


def _until(terminal: int, sign: str, seconds: float) -> str:
    seen = ""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not (sign and sign in seen):
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 65536).decode("utf-8", "replace")
            except OSError:
                break
    return seen


def test_an_unknown_shell_is_refused() -> None:
    done = subprocess.run([sys.executable, "-m", "token_saver", "completion", "csh"], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "bash" in done.stderr
