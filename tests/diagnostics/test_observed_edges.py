"""Single traits of formats, in outputs as small as they can be."""

from __future__ import annotations

from tests.diagnostics.observed import BY_NAME

from token_saver.diagnostics import UNCHANGED, compare
from token_saver.engine import CompressionEngine

_JEST = """FAIL ./a.test.js
  fare
    ✓ of one (2 ms)
    ✓ twice
    ✕ twice

  ● fare › twice

    expect(received).toBe(expected)

      at Object.toBe (a.test.js:4:48)

"""
_JEST_TOTALS = "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 passed, 3 total\n"


def test_a_line_that_a_message_names_is_no_part_of_the_identity(engine: CompressionEngine) -> None:
    run = (
        'a.py:{0}: error: Name "fare" already defined on line {1}  [no-redef]\nFound 1 error in 1 file (checked 1 source file)\n'
    )
    before = engine.diagnostics("mypy a.py", run.format(9, 5), exit_code=1)
    after = engine.diagnostics("mypy a.py", run.format(12, 8), exit_code=1)

    assert before is not None
    assert after is not None
    assert [change.kind for change in compare(before, after)] == [UNCHANGED]


def test_failures_that_jest_tells_again_are_counted_once(engine: CompressionEngine) -> None:
    text = f"{_JEST}Summary of all failing tests\n{_JEST}\n{_JEST_TOTALS}"
    snapshot = engine.diagnostics("npx jest", text, exit_code=1)

    assert snapshot is not None
    assert [one.identifier for one in snapshot.diagnostics] == ["./a.test.js › fare › twice"]


def test_a_name_that_failed_once_did_not_pass(engine: CompressionEngine) -> None:
    snapshot = engine.diagnostics("npx jest --verbose", _JEST + _JEST_TOTALS, exit_code=1)

    assert snapshot is not None
    assert snapshot.passed == ("./a.test.js › fare › of one",)


def test_what_specs_print_is_not_taken_for_examples_that_passed(engine: CompressionEngine) -> None:
    case = BY_NAME["rspec/documentation"]
    snapshot = engine.diagnostics(case.command, case.text.replace("  prices one\n", "  boarding\n  prices one\n"), exit_code=1)

    assert snapshot is not None
    assert snapshot.passed == ()
    assert "  boarding" in snapshot.context


def test_a_warning_that_says_no_more_why_it_is_on_is_the_same(engine: CompressionEngine) -> None:
    """The compiler tells that once a run: when the first one is mended, with the second."""
    case = BY_NAME["cargo/clippy"]
    note = "  = note: `#[warn(unused_variables)]` (part of `#[warn(unused)]`) on by default\n"
    assert note in case.text
    before = engine.diagnostics(case.command, case.text, exit_code=101)
    after = engine.diagnostics(case.command, case.text.replace(f"  |\n{note}", ""), exit_code=101)

    assert before is not None
    assert after is not None
    assert {change.kind for change in compare(before, after)} == {UNCHANGED}


def test_a_parametrised_id_is_taken_whole(engine: CompressionEngine) -> None:
    text = (
        "=== FAILURES ===\n___ test_name[a - b] ___\n\nE   assert 1 == 2\n\ntest_a.py:4: AssertionError\n"
        "___ test_name[[x] - y::z] ___\n\nE   assert 1 == 3\n\ntest_a.py:4: AssertionError\n=== short test summary info ===\n"
        "FAILED test_a.py::test_name[a - b] - assert 1 == 2\nFAILED test_a.py::test_name[[x] - y::z] - assert 1 == 3\n"
        "=== 2 failed in 0.02s ===\n"
    )
    snapshot = engine.diagnostics("pytest", text, exit_code=1)

    assert snapshot is not None
    assert [one.identifier for one in snapshot.diagnostics] == [
        "test_a.py::test_name[a - b]",
        "test_a.py::test_name[[x] - y::z]",
    ]
    assert [one.summary for one in snapshot.diagnostics] == ["assert 1 == 2", "assert 1 == 3"]
