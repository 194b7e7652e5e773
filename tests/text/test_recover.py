from __future__ import annotations

import pytest

from token_saver.text import Fold
from token_saver.text.claims import unfounded
from token_saver.text.critical import critical_lines, is_critical, is_report
from token_saver.text.machine import broken
from token_saver.text.pieces import count_lines, render
from token_saver.text.recover import keep_markers, recover, recover_text

NOISE = [f"compiling module number {n} of the project" for n in range(30)]


def test_a_failure_inside_a_fold_comes_back_in_its_place() -> None:
    lines = [*NOISE, "linker refused: undefined reference to `f'", *NOISE]
    pieces, back = recover([Fold(lines, "line")], 20)
    assert back == 1 and count_lines(pieces) == len(lines)
    assert render(pieces) == ["[… 30 lines]", "linker refused: undefined reference to `f'", "[… 30 lines]"]


def test_of_a_recognised_fold_only_reports_come_back() -> None:
    lines = ["src/a.py:1: def error_handler():", "grep: secret.txt: Permission denied", "src/b.py:2: raise error"]
    pieces, back = recover([Fold(lines, "match", known=True)], 20)
    assert back == 1
    assert "grep: secret.txt: Permission denied" in pieces


def test_one_line_of_a_template_is_enough() -> None:
    lines = [f"error: timeout after {n} ms" for n in range(500)]
    assert recover([Fold(lines, "line")], 20)[1] == 1
    assert recover(["error: timeout after 3 ms", Fold(lines, "line")], 20)[1] == 0


def test_no_more_come_back_than_asked_for() -> None:
    lines = [f"error: {word} is missing" for word in "abcdefghijklmnopqrstuvwxyz"]
    assert recover([Fold(lines, "line")], 5)[1] == 5
    assert recover([Fold(lines, "line")], 0)[1] == 0


def test_text_gets_its_missing_failures_at_the_end_with_their_number() -> None:
    result, back = recover_text(["short"], ["a", "fatal: no disk", "b"], 20)
    assert back == 1 and result == ["short", "[… 1 line of failure brought back]", "fatal: no disk"]
    assert recover_text(["fatal: no disk"], ["fatal: no disk"], 20) == (["fatal: no disk"], 0)


@pytest.mark.parametrize(
    "line",
    ["error: x", "E   assert 1 == 2", "fatal: bad ref", "ValueError: no", "2 of 3 failed", "Killed", "connection refused"],
)
def test_failures_are_critical(line: str) -> None:
    assert is_critical(line)
    assert critical_lines(["a", line, "b"]) == [1]


@pytest.mark.parametrize("line", ["test_error PASSED", "0 errors", "no errors found", "Failures: 0", "ok 3 - error path ok"])
def test_lines_that_say_there_was_no_failure_are_not(line: str) -> None:
    assert not is_critical(line)


def test_indexes_are_those_of_the_lines() -> None:
    lines = ["a", "İ error: dotted", "b", "fatal: x"]
    assert critical_lines(lines) == [1, 3]
    assert [is_report(line) for line in ("x.py:1: except Error", "error: real")] == [False, True]


def test_a_success_nobody_stated_is_found() -> None:
    assert unfounded(["All tests passed"], "1 failed\n") == "All tests passed"
    assert unfounded(["3 passed"], "== 3 passed in 1s ==\n") is None
    assert unfounded(["[… 3 passing tests]", "plain"], "x\n") is None


def test_a_broken_document_is_found() -> None:
    assert broken('{"a": [1, 2]}', '{"a": [1')
    assert not broken('{"a": [1, 2]}', '{"a": [1]}')
    assert not broken("{not json", "anything")


def test_the_markers_of_a_reduced_text_are_no_lines_that_could_be_counted() -> None:
    told = Fold(["a", "[… 900 lines]", "b"], "line", told=True)
    assert render(keep_markers(["first", told, "last"])) == ["first", "a", "[… 900 lines]", "b", "last"]
    folds = [Fold(["a line of some length"] * 3 + ["[… 900 lines]"] + ["another line of some length"] * 2, "line")]
    assert render(keep_markers(folds)) == ["[… 3 lines]", "[… 900 lines]", "[… 2 lines]"]
