"""What is discovered, in which order, and what is left out and named."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator

import pytest

from token_saver import plugins
from token_saver.plugins import Problem, discover
from token_saver.registry import Registry

GOOD = """\
from token_saver.processor import Family

class Good(Family):
    name, priority, commands = "good", 10, ("good-tool",)
    def read(self, capture):
        yield from capture.lines
"""
PLUGIN = """\
from token_saver.hookspecs import hookimpl
from token_saver.processor import Processor

class Made(Processor):
    priority = 20
    def __init__(self, name):
        self.name = name
    def can_handle(self, command):
        return command.startswith(self.name)
    def process(self, command, output):
        return output

class Plugin:
    @hookimpl
    def token_saver_processors(self):
        return [Made("made-one"), Made("made-two")]

plugin = Plugin()
"""


def with_pattern(pattern: str) -> str:
    return GOOD.replace('("good-tool",)', f'("good-tool",)\n    hook_patterns = ("{pattern}",)')


def folder_of(tmp_path: pathlib.Path, **files: str) -> str:
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    return str(tmp_path)


def names(found: plugins.Found) -> set[str]:
    return {processor.name for processor in found.processors}


@pytest.fixture
def installed(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    """A folder on the path, where a distribution can be put that has an entry point of ours."""
    folder = tmp_path / "site"
    folder.mkdir()
    sys.path.append(str(folder))
    yield folder
    sys.path.remove(str(folder))
    for name in ("ts_plugin", "ts_broken"):
        sys.modules.pop(name, None)


def install(folder: pathlib.Path, module: str, text: str, place: str) -> None:
    (folder / f"{module}.py").write_text(text)
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[token_saver]\n{module} = {place}\n")


def test_our_own_families_are_found_without_any_plugin() -> None:
    found = discover(entry_points=False)
    assert found.problems == ()
    assert {"generic", "ruff"} <= names(found)
    Registry(found.processors)


def test_a_file_of_the_users_folder_adds_a_processor(tmp_path: pathlib.Path) -> None:
    found = discover(folder_of(tmp_path, good=GOOD, _helper="raise SystemExit"), entry_points=False)
    assert found.problems == () and "good" in names(found)
    assert found.origins["good"] == ("file", str(tmp_path / "good.py"), "Good")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raise ValueError('secret content')", "cannot be imported: ValueError"),
        ("def broken(:", "cannot be imported: SyntaxError"),
        (GOOD.replace('"good"', '"generic"'), "the name 'generic' is empty or taken"),
        (GOOD.replace("10", "999"), "'good' needs a priority below 999"),
        (
            with_pattern("^("),
            "'good' has a hook pattern that does not compile",
        ),
        (
            with_pattern("x"),
            "'good' has a hook pattern that is not anchored with ^",
        ),
        (GOOD.replace("    def read", "    def __init__(self):\n        raise OSError\n    def read"), "failed: OSError"),
    ],
)
def test_a_broken_file_is_left_out_and_named(tmp_path: pathlib.Path, text: str, reason: str) -> None:
    found = discover(folder_of(tmp_path, bad=text), entry_points=False)
    (problem,) = found.problems
    assert "bad" in problem.plugin and problem.reason == reason
    assert "good" not in names(found)
    Registry(found.processors)


def test_one_broken_file_does_not_take_the_others_with_it(tmp_path: pathlib.Path) -> None:
    found = discover(folder_of(tmp_path, a="1/0", good=GOOD, z=GOOD), entry_points=False)
    assert "good" in names(found)
    assert [(problem.plugin.rpartition(".")[0] or problem.plugin, problem.reason) for problem in found.problems] == [
        ("a", "cannot be imported: ZeroDivisionError"),
        ("token_saver_user", "the name 'good' is empty or taken"),
    ]


def test_a_folder_that_does_not_exist_is_named() -> None:
    assert Problem("/nowhere/at/all", "the folder of user processors does not exist") in discover("/nowhere/at/all").problems


def test_an_installed_distribution_adds_its_processors(installed: pathlib.Path) -> None:
    install(installed, "ts_plugin", PLUGIN, "ts_plugin:plugin")
    found = discover()
    assert {"made-one", "made-two"} <= names(found)
    assert found.origins["made-two"] == ("hook", "ts_plugin", "plugin.token_saver_processors")


@pytest.mark.parametrize("text", ["raise RuntimeError", PLUGIN.replace("return [Made", "raise KeyError; [Made")])
def test_a_broken_distribution_is_left_out_and_named(installed: pathlib.Path, text: str) -> None:
    install(installed, "ts_broken", text, "ts_broken:plugin")
    found = discover()
    assert [problem.plugin for problem in found.problems] == ["ts_broken"]
    assert "generic" in names(found)
