"""How a command is written and how its output reaches us makes no difference."""

from __future__ import annotations

import re

import pytest
from tests.diagnostics.observed import BY_NAME

from token_saver.diagnostics import UNCHANGED, compare
from token_saver.engine import CompressionEngine

FAILING = {
    "pytest/failures": "pytest",
    "unittest/failures": "python -m unittest test_fares test_broken test_fine",
    "jest/failures": "npx jest",
    "vitest/failures": "npx vitest run",
    "go/test-failures": "go test ./...",
    "cargo/test-failures": "cargo test --lib",
    "ruff/check": "ruff check --isolated .",
    "mypy/mistakes": "mypy --strict crossings.py",
    "pyright/mistakes": "pyright crossings.py",
    "eslint/stylish": "npx eslint .",
    "tsc/errors": "npx tsc -p .",
    "gcc/errors": "gcc -Wall -c ferry.c",
    "rspec/failures": "rspec",
    "phpunit/failures": "phpunit tests",
}
COMMANDS = (
    "{} 2>&1",
    "cd project && {}",
    "cd project && CI=1 timeout 60 {} 2>&1",
    "mkdir -p out; time {}",
    "/usr/local/bin/{}",
)
LAUNCHED = {
    "pytest/failures": (
        "python -m pytest -x",
        "uv run pytest",
        "poetry run pytest tests",
        "python3 -m pytest -q 2>&1",
    ),
    "ruff/check": ("uvx ruff check .", "python -m ruff check"),
    "mypy/mistakes": ("uv run mypy .", "python -m mypy crossings.py"),
    "eslint/stylish": ("pnpm exec eslint .", "yarn eslint .", "bunx eslint src"),
    "tsc/errors": ("pnpm exec tsc --noEmit", "yarn tsc"),
    "jest/failures": ("pnpm exec jest", "yarn jest --ci"),
    "rspec/failures": ("bundle exec rspec",),
    "phpunit/failures": ("vendor/bin/phpunit", "php vendor/bin/phpunit tests"),
}


@pytest.mark.parametrize("form", COMMANDS)
@pytest.mark.parametrize("name", FAILING)
def test_redirections_folders_and_launchers_are_looked_through(name: str, form: str, engine: CompressionEngine) -> None:
    case, command = BY_NAME[name], FAILING[name]
    if form.startswith("/usr") and " " in command.split(" -")[0] and command.startswith(("npx", "python")):
        form = "env {}"
    _same(engine, case.command, form.format(command), case.text, case.text, case.exit_code)


@pytest.mark.parametrize(("name", "command"), [(name, command) for name in LAUNCHED for command in LAUNCHED[name]])
def test_launchers_lead_to_the_same_reader(name: str, command: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    _same(engine, case.command, command, case.text, case.text, case.exit_code)


@pytest.mark.parametrize("name", FAILING)
def test_line_ends_of_a_terminal_make_no_difference(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    _same(engine, case.command, case.command, case.text, case.text.replace("\n", "\r\n"), case.exit_code)


@pytest.mark.parametrize("name", FAILING)
def test_colours_make_no_difference(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    coloured = re.sub(r"(?m)^(.+)$", "\x1b[1m\x1b[31m\\1\x1b[0m", re.sub(r"(\w+rror)", "\x1b[4m\\1\x1b[24m", case.text))
    _same(engine, case.command, case.command, case.text, coloured, case.exit_code)


@pytest.mark.parametrize("name", FAILING)
def test_what_was_shortened_before_is_declined(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    for note in ("[… 12 lines of context]", "[... output truncated ...]", "<output truncated>", "... 40 lines omitted ..."):
        text = case.text.replace("\n", f"\n{note}\n", 1)
        assert engine.diagnostics(case.command, text, exit_code=case.exit_code) is None, note


@pytest.mark.parametrize(
    ("name", "option"),
    [
        *(("pytest/failures", option) for option in ("--collect-only", "--no-summary", "--markers")),
        *(("ruff/check", option) for option in ("--fix", "--diff", "--statistics", "--watch", "--output-format=junit")),
        *(("eslint/stylish", option) for option in ("-f unix", "--format compact")),
        ("jest/failures", "--json"),
        ("vitest/failures", "--reporter=json"),
        ("tsc/errors", "--watch"),
        ("cargo/test-failures", "--message-format=json"),
        ("pyright/mistakes", "--outputjson"),
        ("gcc/errors", "-E"),
    ],
)
def test_forms_that_are_not_read_are_declined(name: str, option: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    assert engine.diagnostics(f"{case.command} {option}", case.text, exit_code=case.exit_code) is None


@pytest.mark.parametrize("name", ["gcc/errors", "tsc/errors", "go/build-errors"])
def test_a_tool_without_totals_needs_its_status(name: str, engine: CompressionEngine) -> None:
    case = BY_NAME[name]
    assert engine.diagnostics(case.command, case.text) is None
    if name != "gcc/errors":
        assert engine.diagnostics(case.command, case.text, exit_code=0) is None


@pytest.mark.parametrize("command", ["npx eslint .", "npx tsc -p .", "gcc -Wall -c a.c", "go build ./...", "go vet ./..."])
def test_silence_is_a_clean_run_only_with_status_0(command: str, engine: CompressionEngine) -> None:
    clean = engine.diagnostics(command, "", exit_code=0)
    assert clean is not None
    assert (clean.diagnostics, clean.passed, clean.context, clean.summary) == ((), (), "", "")
    assert engine.diagnostics(command, "", exit_code=1) is None


def test_totals_that_disagree_are_declined(engine: CompressionEngine) -> None:
    for name, old, new in (
        ("pytest/failures", "5 failed", "6 failed"),
        ("unittest/failures", "failures=3", "failures=4"),
        ("jest/failures", "Tests:       5 failed", "Tests:       4 failed"),
        ("vitest/failures", "Tests  3 failed", "Tests  2 failed"),
        ("cargo/test-failures", "3 failed; 1 ignored", "4 failed; 1 ignored"),
        ("ruff/concise", "Found 14 errors", "Found 15 errors"),
        ("mypy/mistakes", "Found 6 errors", "Found 5 errors"),
        ("pyright/mistakes", "6 errors, 0", "7 errors, 0"),
        ("eslint/stylish", "8 problems", "9 problems"),
        ("rspec/failures", "5 examples, 3 failures", "5 examples, 2 failures"),
        ("phpunit/failures", "Failures: 2", "Failures: 3"),
    ):
        case = BY_NAME[name]
        assert old in case.text
        assert engine.diagnostics(case.command, case.text.replace(old, new), exit_code=case.exit_code) is None, name


def _same(engine: CompressionEngine, command: str, other: str, text: str, again: str, status: int | None) -> None:
    before = engine.diagnostics(command, text, exit_code=status)
    after = engine.diagnostics(other, again, exit_code=status)
    assert before is not None
    assert after is not None, other
    assert [change.kind for change in compare(before, after)] == [UNCHANGED] * len(before.diagnostics)
    assert [one.location for one in before.diagnostics] == [one.location for one in after.diagnostics]
    assert (before.summary, before.passed, before.context) == (after.summary, after.passed, after.context)
