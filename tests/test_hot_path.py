"""What a hot process imports is written down here: a newcomer is named, and must be worth its time in every command.

Each import costs a hundredth of an interpreter's start or more, ``re`` and ``typing`` half of one.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from tests.hosts.processes import ENTRY, environment

from token_saver import archive, snapshot
from token_saver.hosts import launcher

ROOT = pathlib.Path(__file__).resolve().parent.parent
START = [sys.executable, "-X", "importtime", *launcher.OPTIONS, str(ENTRY)]

WRAPPER = {
    "__future__",
    "gc",
    "token_saver",
    "token_saver.hosts",
    "token_saver.hosts.child",
    "token_saver.hosts.intake",
    "token_saver.hosts.shorten",
    "token_saver.hosts.wrapper",
    "token_saver.snapshot",
}
"""Passing an output through."""

MASKING = {"token_saver.redaction", "token_saver.redaction.signs"}
"""Looking for secrets, when there is any output."""

RECORDING = {"token_saver.events", "token_saver.recorder", "token_saver.telemetry", "token_saver.telemetry.spool"}
"""Recording what was delivered, when there was any output: after it."""

ENGINE = {"_sre", "token_saver.archive"}
"""Shortening, when a family may know the output: what follows comes from the archive."""

ALWAYS = {
    "token_saver.engine",
    "token_saver.errors",
    "token_saver.processor",
    "token_saver.redaction",
    "token_saver.redaction.signs",
    "token_saver.registry",
    "token_saver.shell",
    "token_saver.shell.arguments",
    "token_saver.shell.command_line",
    "token_saver.shell.launchers",
    "token_saver.shell.options",
    "token_saver.shell.scan",
    "token_saver.shell.script",
    "token_saver.shell.words",
    "token_saver.text",
    "token_saver.text.claims",
    "token_saver.text.critical",
    "token_saver.text.folders",
    "token_saver.text.machine",
    "token_saver.text.markers",
    "token_saver.text.pieces",
    "token_saver.text.readers",
    "token_saver.text.recover",
    "token_saver.text.rx",
    "token_saver.text.stems",
    "token_saver.text.stream",
    "token_saver.text.templates",
    "token_saver.text.terminal",
    "token_saver.text.worth",
}
"""What the archive runs for every output that is shortened."""

FAMILY_PREFIXES = ("token_saver.processors", "token_saver.text")
"""A family may import what it needs of the toolkit, and nothing of the standard library."""

DECISION = {"__future__", "_json", "gc", "token_saver", "token_saver.hosts", "token_saver.hosts.decide", "token_saver.snapshot"}
"""Deciding about a plain command in a hook."""


def imported(argv: list[str], home: pathlib.Path, **options: object) -> set[str]:
    """Return the modules that a process imports beyond those of the bare interpreter."""
    env = environment(home, PATH=f"{ROOT}/tests/hosts:{os.environ['PATH']}")
    done = subprocess.run(argv, capture_output=True, env=env, check=False, **options)  # type: ignore[call-overload]
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("import time:")]
    return {line.rpartition("|")[2].strip() for line in lines[1:]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A home with a snapshot, made for the interpreter's options that are measured."""
    made = tmp_path_factory.mktemp("home")
    subprocess.run([*START, "run", "--", "true"], env=environment(made), capture_output=True, check=True)
    return made


@pytest.fixture(scope="module")
def bare(home: pathlib.Path) -> set[str]:
    """What the interpreter imports by itself."""
    return imported([sys.executable, "-X", "importtime", *launcher.OPTIONS, "-c", "pass"], home)


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder of programs that print what the tool of that name prints."""
    folder = tmp_path_factory.mktemp("tools")
    commits = "".join(
        f"commit {number:040x}\\nAuthor: A <a@example.org>\\nDate:   Mon Nov 30 12:00:00 2026 +0000\\n\\n    Say something\\n\\n"
        for number in range(9)
    )
    program = folder / "git"
    program.write_text(f"#!/bin/sh\nprintf '{commits}'\n")
    program.chmod(0o755)
    return folder


def test_passing_an_output_through(home: pathlib.Path, bare: set[str]) -> None:
    assert imported([*START, "run", "--", "true"], home) - bare - WRAPPER == set()
    assert imported([*START, "run", "--", "echo", "hello"], home) - bare - WRAPPER - MASKING - RECORDING == set()


def test_shortening_with_a_family(home: pathlib.Path, bare: set[str], tools: pathlib.Path) -> None:
    found = imported([*START, "run", "--", str(tools / "git"), "log"], home) - bare
    strangers = {
        name for name in found - WRAPPER - ENGINE - RECORDING if not name.startswith((*FAMILY_PREFIXES, "token_saver.redaction"))
    }
    assert strangers == set()
    assert "token_saver.processors.git" in found, "the family was not asked: this test shows nothing"


def test_what_is_run_for_every_output(home: pathlib.Path) -> None:
    place = snapshot.folder({name.encode(): value.encode() for name, value in environment(home).items()})
    with open(f"{place}/{snapshot.ARCHIVE}", "rb") as file:
        first = set(archive.Archive(file.fileno())._first)
    assert first - ALWAYS == set()


def test_running_a_command_exactly(home: pathlib.Path, bare: set[str]) -> None:
    exact = {"__future__", "gc", "token_saver", "token_saver.hosts", "token_saver.hosts.wrapper"}
    assert imported([*START, "raw", "--", "true"], home) - bare - exact == set()


def test_deciding_about_a_plain_command(home: pathlib.Path, bare: set[str]) -> None:
    hook = ROOT / "benchmarks/hook.py"
    event = b'{"tool_input": {"command": "git status"}}'
    argv = [sys.executable, "-X", "importtime", *launcher.OPTIONS, str(hook)]
    found = imported(argv, home, input=event) - bare
    assert found - DECISION - {"benchmarks", "benchmarks.hook_decision"} == set()


@pytest.mark.parametrize("package", ["token_saver", "token_saver.hosts.wrapper", "token_saver.engine", "token_saver.snapshot"])
def test_nothing_heavy_is_imported_by_name(package: str) -> None:
    heavy = {"re", "typing", "dataclasses", "enum", "functools", "collections", "contextlib", "pathlib", "json", "logging"}
    heavy |= {"subprocess", "importlib.metadata", "pluggy", "rich", "msgspec", "tree_sitter", "sqlite3"}
    code = f"import sys; sys.path.append({str(ROOT / 'src')!r}); import {package}; print(*sys.modules)"
    listed = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    assert heavy & set(listed.stdout.split()) == set()
