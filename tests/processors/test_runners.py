"""Runners: make, just, npm, yarn and pnpm hand the output of what they ran to its family; act, turbo and others."""

from __future__ import annotations

import pytest

from token_saver.engine import CompressionEngine

PASSES = "".join(f"tests/test_{n}.py::test_tide PASSED [{n:3}%]\n" for n in range(60))
PYTEST = (
    "============================= test session starts ==============================\n"
    "platform linux -- Python 3.12.1, pytest-8.3.3, pluggy-1.5.0\nrootdir: /srv/harbor\ncollected 61 items\n\n"
    f"{PASSES}\n"
    "=================================== FAILURES ===================================\n"
    "__________________________________ test_quay ___________________________________\n\n"
    "    def test_quay():\n>       assert depth() == 4\nE       assert 3 == 4\nE        +  where 3 = depth()\n\n"
    "tests/test_quay.py:3: AssertionError\n"
    "=========================== short test summary info ============================\n"
    "FAILED tests/test_quay.py::test_quay - assert 3 == 4\n"
    "========================= 1 failed, 60 passed in 0.31s =========================\n"
)


@pytest.mark.parametrize(
    ("command", "before", "after"),
    [
        ("make test", "python -m pytest -v\n", "make: *** [Makefile:7: test] Error 1\n"),
        ("make -C py test", "make: Entering directory '/srv/py'\npytest -v\n", "make: *** [Makefile:7: test] Error 1\n"),
        ("just test", "python -m pytest -v\n", "error: Recipe `test` failed on line 7 with exit code 1\n"),
        ("task test", "task: [test] pytest -v\n", 'task: Failed to run task "test": exit status 1\n'),
        (
            "npm run test:py",
            "\n> harbor@1.0.0 test:py\n> pytest -v\n\n",
            "npm error Lifecycle script `test:py` failed with error:\n",
        ),
        ("yarn run test:py", "yarn run v1.22.22\n$ pytest -v\n", "error Command failed with exit code 1.\n"),
        (
            "pnpm run test:py",
            "\n> harbor@1.0.0 test:py /srv/harbor\n> pytest -v\n\n",
            "\u2009ELIFECYCLE\u2009 Command failed with exit code 1.\n",
        ),
    ],
)
def test_the_inner_tools_family_reads_its_output(engine: CompressionEngine, command: str, before: str, after: str) -> None:
    output, _, _ = engine.compress(command, before + PYTEST + after, 1)
    for must in (
        "tests/test_quay.py::test_quay",
        "assert 3 == 4",
        "tests/test_quay.py:3",
        "1 failed, 60 passed in 0.31s",
        after.strip(),
    ):
        assert must in output
    assert "test_42.py" not in output and "rootdir" not in output
    assert "pytest -v" in output


def test_several_recipes_are_read_one_by_one(engine: CompressionEngine) -> None:
    lint = "ruff check .\nquay.py:1:8: F401 [*] `os` imported but unused\nFound 1 error.\n"
    output, _, _ = engine.compress("make check", f"python -m pytest -v\n{PYTEST}{lint}make: *** [Makefile:9: lint] Error 1\n", 2)
    assert "quay.py:1:8: F401" in output and "Found 1 error." in output and "1 failed, 60 passed" in output
    assert "test_42.py" not in output


def test_prose_that_looks_like_a_command_is_no_command(engine: CompressionEngine) -> None:
    """The word git at the start of a sentence names no command: nothing of it may get lost."""
    said = "".join(f"git is needed for step {n} of this recipe\n" for n in range(3))
    output, _, _ = engine.compress("make release", said + "make: *** [Makefile:3: release] Error 4\n", 2)
    assert "git is needed for step 0 of this recipe" in output and "Error 4" in output


def test_a_script_that_prints_json_still_parses(engine: CompressionEngine) -> None:
    import json

    rows = json.dumps([{"quay": n, "depth": 3} for n in range(300)])
    output, _, _ = engine.compress("npm run --silent report", rows, 0)
    assert json.loads(output)


def test_data_that_make_prints_is_not_thrown_away(engine: CompressionEngine) -> None:
    """reference.md 12.2: `make help`, `make print-VERSION` became a sentence about success."""
    text = "".join(f"  target-{n:<20} does the work of {n}\n" for n in range(20)) + "VERSION=1.2.3\n"
    output, _, _ = engine.compress("make help", text, 0)
    assert [n for n in range(20) if f"target-{n}" not in output] == [] and "VERSION=1.2.3" in output


def test_what_failed_before_the_word_error_is_kept(engine: CompressionEngine) -> None:
    """reference.md 12.3: everything before the first line with "error" was lost."""
    text = "checking tides\nno tide table for Lunden\nsee tides.csv:17\nmake: *** [Makefile:3: tides] Error 1\n"
    output, _, _ = engine.compress("make tides", text, 2)
    assert output == text


def test_act_names_a_job_where_it_begins(engine: CompressionEngine) -> None:
    text = "[CI/build] 🚀  Start image=catthehacker/ubuntu:act-latest\n"
    text += "[CI/build]   🐳  docker pull image=x\n[CI/build] ⭐ Run Main pytest\n"
    text += "".join(f"[CI/build]   | tests/test_{n}.py ....\n" for n in range(10))
    text += "[CI/build]   | E   assert 3 == 4\n[CI/build]   ❌  Failure - Main pytest\n"
    text += "[CI/build] exitcode '1': failure\nError: Job 'build' failed\n"
    output, _, _ = engine.compress("act -j build", text, 1)
    for must in ("⭐ Run Main pytest", "E   assert 3 == 4", "❌  Failure - Main pytest", "Error: Job 'build' failed"):
        assert must in output
    assert output.count("[CI/build]") < 4


def test_turbo_names_a_task_where_it_begins(engine: CompressionEngine) -> None:
    text = "".join(f"web:build: cache hit, replaying logs {n:016x}\n" for n in range(5))
    text += "api:build: > tsc -p .\napi:build: src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.\n"
    text += " Tasks:    5 successful, 6 total\n ERROR  run failed: command  exited (2)\n"
    output, _, _ = engine.compress("turbo run build", text, 2)
    for must in (
        "api:build: > tsc -p .",
        "src/a.ts(1,2): error TS2322",
        "5 successful, 6 total",
        "run failed: command  exited (2)",
    ):
        assert must in output


def test_bazel_keeps_the_failed_action_and_the_failed_test(engine: CompressionEngine) -> None:
    text = "".join(f"Loading: {n} packages loaded\nAnalyzing: target //quay:all ({n} packages loaded)\n" for n in range(20))
    text += "[1 / 30] [Prepa] BazelWorkspaceStatusAction stable-status.txt\n"
    text += "ERROR: /srv/quay/BUILD:3:11: Compiling quay.cc failed: (Exit 1): gcc failed: error executing command /usr/bin/gcc\n"
    text += "quay.cc:3:5: error: 'tide' was not declared in this scope\n    3 |     tide = 3;\n      |     ^~~~\n"
    text += "".join(f"//quay:test_{n}   PASSED in 0.{n}s\n" for n in range(9))
    text += "//quay:test_depth   FAILED in 1 out of 2 in 3.0s\nINFO: Build completed, 1 test FAILED, 40 total actions\n"
    output, _, _ = engine.compress("bazel test //quay/...", text, 3)
    for must in (
        "/srv/quay/BUILD:3:11",
        "quay.cc:3:5: error: 'tide' was not declared in this scope",
        "//quay:test_depth   FAILED",
        "1 test FAILED",
    ):
        assert must in output
    assert len(output) < len(text) * 0.4


@pytest.mark.parametrize("command", ["make shipp", "just shipp", "task shipp"])
def test_output_without_any_command_is_the_runners_own(engine: CompressionEngine, command: str) -> None:
    result = engine.run(command, "*** No rule for the target.  Stop.\n" * 3, 2)
    assert not result.fault and "No rule for the target" in result.output
