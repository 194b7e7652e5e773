"""The rewritten line does in real shells exactly what the original does, compression being switched off."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest
from tests.shell.shapes import PROGRAMS, STUB, UNKNOWN, Generator, collected

from token_saver.command_policy import CommandPolicy
from token_saver.processor import hook_pattern
from token_saver.shell.rewrite import quoted, rewrite

SHELLS = [name for name in ("bash", "dash", "zsh") if shutil.which(name)]
GENERATED = 400
ENTRY = pathlib.Path(__file__).parents[2] / "src" / "token_saver" / "hosts" / "entry.py"
POLICY = CommandPolicy(hook_pattern(program) for program in PROGRAMS)

_LAUNCHER = """#!/bin/sh
shift
case $1 in
  --) shift; exec "$@" ;;
  --shell) exec "$2" -c "$4" ;;
esac
exec no-such-form "$@"
"""
_PROBE = """trap 'pwd > "$PROBE/pwd"; export -p > "$PROBE/exports"' EXIT; """


class Ran(NamedTuple):
    """Everything that can be seen of a run."""

    status: int
    stdout: bytes
    stderr: bytes
    files: dict[str, bytes]
    folder: str
    exports: str


class World:
    """A folder in which a command line can run: stubs on the path, files to work on, and a probe behind it."""

    def __init__(self, root: pathlib.Path, shell: str) -> None:
        self.name = shell
        self.shell = shutil.which(shell) or shell
        self.root = root
        self.bin = root / "bin"
        self.bin.mkdir()
        for name in (*PROGRAMS, *UNKNOWN):
            self._program(name, STUB)
        self._program("token-saver", _LAUNCHER)

    def _program(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, line: str) -> Ran:
        """Run *line* in a new folder and look at everything that it left."""
        work, probe = self.root / "work", self.root / "probe"
        for folder in (work, probe):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        _furnish(work)
        path = f"{self.bin}:{os.environ.get('PATH', '/usr/bin:/bin')}"
        environment = {"PATH": path, "HOME": str(self.root), "PROBE": str(probe), "LC_ALL": "C.UTF-8", "TOKEN_SAVER": "off"}
        environment["SHELL"] = self.shell
        ran = subprocess.run(
            [self.shell, "-c", _PROBE + line], cwd=work, env=environment, input=b"from stdin\n", capture_output=True, timeout=60
        )
        files = {str(each.relative_to(work)): each.read_bytes() for each in sorted(work.rglob("*")) if each.is_file()}
        return Ran(ran.returncode, ran.stdout, ran.stderr, files, _read(probe / "pwd"), _exports(_read(probe / "exports")))


def _furnish(work: pathlib.Path) -> None:
    (work / "sub").mkdir()
    for name in ("a.txt", "b c.txt", "sub/inner"):
        (work / name).write_text(name, encoding="utf-8")
    (work / "names.txt").write_text("one\ntwo words\n", encoding="utf-8")
    (work / "env.sh").write_text("export SOURCED=yes X=sourced\n", encoding="utf-8")
    (work / "tools").mkdir()
    for name in ("run.sh", "tools/make"):
        (work / name).write_text('#!/bin/sh\necho of-the-folder "$@"\n', encoding="utf-8")
        (work / name).chmod(0o755)


def _read(path: pathlib.Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _exports(text: str) -> str:
    """Leave out ``$_``, which every shell keeps for itself."""
    return "\n".join(line for line in text.split("\n") if not line.startswith(("export _=", "declare -x _=")))


def _lines(shell: str) -> list[str]:
    generated: dict[str, None] = {}
    seed = 0
    while len(generated) < GENERATED:
        generated[Generator(seed, shell).line()] = None
        seed += 1
    return [*collected(shell), *generated]


@pytest.fixture(params=SHELLS)
def world(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> World:
    return World(tmp_path, request.param)


@pytest.mark.slow
def test_a_rewritten_line_does_what_the_original_does(world: World) -> None:
    lines = _lines(world.name)
    rewritten = 0
    for line in lines:
        made = rewrite(line, POLICY, shell=world.shell)
        if made is not None:
            rewritten += 1
            assert world.run(made) == world.run(line), f"{line!r} became {made!r}"
    print(f"\n{world.name}: {len(lines)} lines, {rewritten} rewritten, {len(lines) - rewritten} left alone")
    assert len(set(lines)) >= 500
    assert rewritten >= 300


@pytest.mark.parametrize("shell", SHELLS)
def test_most_of_the_common_lines_that_may_be_touched_are_rewritten(shell: str) -> None:
    eligible = [line for line in collected(shell) if POLICY.is_compressible(line)]
    rewritten = [line for line in eligible if rewrite(line, POLICY) is not None]
    print(f"\n{shell}: {len(eligible)} of {len(collected(shell))} common lines may be touched, {len(rewritten)} are rewritten")
    assert len(eligible) >= 90
    assert len(rewritten) >= 0.7 * len(eligible)


@pytest.mark.slow
def test_the_wrapper_itself_does_it_as_well(world: World) -> None:
    launcher = f"{quoted(sys.executable)} -I -S {quoted(str(ENTRY))}"
    for line in collected(world.name)[::3]:
        made = rewrite(line, POLICY, launcher, world.shell)
        if made is not None:
            assert world.run(made) == world.run(line), f"{line!r} became {made!r}"


def test_a_difference_would_be_seen(tmp_path: pathlib.Path) -> None:
    """The proof is worth something only when each thing it looks at can fail it."""
    world = World(tmp_path, "sh")
    plain = world.run("git status")
    for other in ("git status; exit 1", "git statuS", "git status; echo x >&2", "git status; echo x > y", "git status; cd sub",
                  "git status; export NEW=1"):  # fmt: skip
        assert world.run(other) != plain
    assert world.run("git status") == plain
