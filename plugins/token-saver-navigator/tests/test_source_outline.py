"""The setting ``source_outline``: a long source file that is printed shows all but the bodies of its functions."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest
import token_saver_navigator
from token_saver_navigator.source_outline import SourceOutlineProcessor

from token_saver import settings
from token_saver.engine import CompressionEngine
from token_saver.plugins import builtin_processors
from token_saver.text.markers import is_marker

BODY = {
    "py": ('def f{0}(value):\n    """Say {0}."""\n', "    value = g{0}(value)\n", ""),
    "js": ("function f{0}(value) {{\n", "  value = g{0}(value);\n", "}}\n"),
    "ts": ("export function f{0}(value: number): void {{\n", "  value = g{0}(value);\n", "}}\n"),
    "go": ("func F{0}(value int) {{\n", "\tvalue = g{0}(value)\n", "}}\n"),
    "rs": ("pub fn f{0}(value: u32) {{\n", "    g{0}(value);\n", "}}\n"),
    "java": ("class C{0} {{ void f(int value) {{\n", "  value = g{0}(value);\n", "}}\n}}\n"),
    "c": ("int f{0}(int value)\n{{\n", "    value = g{0}(value);\n", "}}\n"),
    "cpp": ("int N::f{0}(int value) {{\n", "    value = g{0}(value);\n", "}}\n"),
    "cs": ("class C{0}\n{{\n  void F(int value)\n  {{\n", "    value = G{0}(value);\n", "  }}\n}}\n"),
    "rb": ("def f{0}(value)\n", "  value = g{0}(value)\n", "end\n"),
    "php": ("function f{0}($value)\n{{\n", "    $value = g{0}($value);\n", "}}\n"),
}
PLACE = re.compile(r"\[… (\d+) lines of body: (\d+)-(\d+)\]")


def long_source(extension: str) -> str:
    """Return 30 functions with bodies of 20 lines."""
    head, row, tail = BODY[extension]
    first = "<?php\n" if extension == "php" else ""
    return first + "".join(head.format(number) + row.format(number) * 20 + tail.format(number) + "\n" for number in range(30))


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> CompressionEngine:
    folder = tmp_path / "config"
    monkeypatch.setattr(settings, "user_file", lambda: str(folder / "config.toml"))
    folder.mkdir()
    (folder / "config.toml").write_text("source_outline = true\n")
    monkeypatch.chdir(tmp_path)
    made = token_saver_navigator.token_saver_processors()
    assert [processor.name for processor in made] == ["source_outline"]
    return CompressionEngine((*builtin_processors(), *made), settings.load())


@pytest.mark.parametrize("extension", BODY)
def test_bodies_give_way_to_their_lines(engine: CompressionEngine, extension: str) -> None:
    source = long_source(extension)
    lines = source.split("\n")
    result = engine.run(f"cat src/app.{extension}", source)
    assert result.processor == "source_outline" and len(result.output) < len(source) / 3
    found = [tuple(map(int, match)) for match in PLACE.findall(result.output)]
    assert len(found) == 30
    body = BODY[extension][1]
    for number, (count, first, last) in enumerate(found):
        assert count == last - first + 1 == 20
        assert lines[first - 1 : last] == [body.format(number).rstrip("\n")] * 20
    shown = [line for line in result.output.rstrip("\n").split("\n") if not is_marker(line)]
    omitted = {at for _, first, last in found for at in range(first - 1, last)}
    kept = [line for at, line in enumerate(lines) if at not in omitted and line.strip()]
    assert [line for line in shown if line.strip()] == kept


@pytest.mark.parametrize(
    ("command", "read"),
    [
        ("cat a.py", True),
        ("head -n 500 a.py", True),
        ("head -500 a.py", True),
        ("bat -p a.py", True),
        ("cat -n a.py", False),
        ("bat a.py", False),
        ("tail -n 500 a.py", False),
        ("cat a.py b.py", False),
        ("cat a.txt", False),
        ("head -c 9000 a.py", False),
    ],
)
def test_which_commands_are_read(engine: CompressionEngine, command: str, read: bool) -> None:
    result = engine.run(command, long_source("py"))
    assert (result.attempted == "source_outline") is read
    if not read:
        assert not PLACE.search(result.output)


def test_a_short_file_stays_as_it_is(engine: CompressionEngine) -> None:
    source = long_source("py")[:3000]
    assert engine.run("cat a.py", source).output is source


def test_it_is_off_unless_it_is_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setattr(settings, "user_file", lambda: str(tmp_path / "none.toml"))
    assert token_saver_navigator.token_saver_processors() == []


def test_a_project_may_switch_it_off(engine: CompressionEngine, tmp_path: pathlib.Path) -> None:
    project = tmp_path / "p"
    project.mkdir()
    assert SourceOutlineProcessor().can_handle("cat a.py")
    (tmp_path / ".token-saver.toml").write_text("source_outline = false\n")
    assert not SourceOutlineProcessor().can_handle("cat a.py")


def test_a_real_run_with_the_setting_on_and_off(tmp_path: pathlib.Path) -> None:
    (tmp_path / "app.py").write_text(long_source("py"))
    folders = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}

    def printed() -> str:
        command = (sys.executable, "-m", "token_saver", "run", "--", "cat", "app.py")
        return subprocess.run(command, cwd=tmp_path, env=os.environ | folders, capture_output=True, text=True, check=True).stdout

    assert printed().rstrip("\n") == long_source("py").rstrip("\n")
    (tmp_path / "config/token-saver").mkdir(parents=True)
    (tmp_path / "config/token-saver/config.toml").write_text("source_outline = true\n")
    assert len(PLACE.findall(printed())) == 30
