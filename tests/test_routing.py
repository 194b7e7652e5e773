"""Who reads what: decided by the parsed command word, never by a word somewhere in the text."""

from __future__ import annotations

import pytest

from token_saver.engine import CompressionEngine
from token_saver.plugins import load_processors
from token_saver.processor import Family, as_command
from token_saver.settings import load


@pytest.fixture(scope="module")
def engine() -> CompressionEngine:
    return CompressionEngine(settings=load(environ={}))


MATRIX = {
    "file_content": [
        "cat webpack.config.js",
        "cat vite.config.ts",
        "cat rollup.config.mjs",
        "cat cmake/toolchain.txt",
        "cat src/tsc",
        "cat jest.config.js",
        "cat pytest.ini",
        "cat notes/curl.md",
        "cat 'docs/aws cli.md'",
        "cat ansible/site.yml",
        "tail mypy.ini",
        "sed -n 1,40p git.py",
        "head -20 docker-compose.yml",
    ],
    "search": [
        "grep -rn make .",
        "rg make src",
        "grep -rn ant src",
        "rg pytest .github",
        'grep -n "go test" Makefile',
        'rg "docker run" README.md',
        "grep -E 'git|npm' notes.txt",
    ],
    "file_listing": [
        "ls node_modules/vite",
        "find . -name pytest",
        "find . -name make",
        "ls -la git",
        "tree docker",
        "fd eslint",
    ],
    "git": [
        "git status",
        "git -C web log",
        "git --no-pager -c color.ui=never diff",
        "/usr/bin/git status",
        "cd web && git status",
        "LC_ALL=C git log",
        "env GIT_PAGER=cat git log",
        "timeout 60 git fetch",
        "git log | head -40",
    ],
    "pytest": [
        "pytest -q",
        "python -m pytest",
        "python3.12 -m pytest tests",
        "uv run pytest",
        "uv run --with x python -m pytest -q",
        "poetry run pytest",
        "X=1 env Y=2 timeout 5 uv run python -m pytest -q",
        ".venv/bin/pytest tests",
        "cd app && pytest 2>&1 | tail -30",
        "bash -c 'pytest -q'",
        "pytest || true",
    ],
    "pip": ["pip install git", "pip3 list", "python -m pip install pytest", "pip show make"],
    "npm": ["npm install jest", "npm ls vite", "npm audit"],
    "generic": ["./build.sh", "python make.py", "echo git status", "printf 'pytest'", "git status | wc -l", "ls | wc -l", ""],
}


@pytest.mark.parametrize(("name", "command"), [(name, command) for name, commands in MATRIX.items() for command in commands])
def test_a_command_goes_where_a_person_would_send_it(engine: CompressionEngine, name: str, command: str) -> None:
    assert engine.selected(as_command(command)).name == name


def test_no_two_families_claim_the_same_words() -> None:
    owners: dict[str, list[str]] = {}
    for processor in load_processors():
        for words in processor.commands if isinstance(processor, Family) else ():
            owners.setdefault(words, []).append(processor.name)
    assert {words: names for words, names in owners.items() if len(names) > 1} == {}


def test_hook_patterns_agree_with_who_reads() -> None:
    import re

    for processor in load_processors():
        if isinstance(processor, Family):
            for words in processor.commands:
                assert any(re.match(pattern, words) for pattern in processor.hook_patterns), (processor.name, words)
                assert processor.can_handle(words), (processor.name, words)
                assert not any(re.match(pattern, f"echo {words}") for pattern in processor.hook_patterns)
