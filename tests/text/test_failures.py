"""What a report of a failed test says, and what only surrounds it."""

from __future__ import annotations

import pytest

from token_saver.text.coverage import coverage, is_table, table_end
from token_saver.text.failures import essentials, failure, is_library, reports
from token_saver.text.pieces import Fold, count_lines, render
from token_saver.text.rx import rx
from token_saver.text.test_names import counted_names


def _kept(text: str) -> list[str]:
    lines = text.splitlines()
    return [lines[index] for index in essentials(lines)]


def test_the_line_that_is_pointed_at_stays_and_its_surroundings_go() -> None:
    text = (
        "title\n  got 80\n    1 | a\n  > 2 | b\n      | ^\n    3 | c\n"
        "  at Object.toBe (fare.test.js:2:3)\n  at x (node_modules/jest/y.js:1:1)"
    )
    assert _kept(text) == ["title", "  got 80", "  > 2 | b", "  at Object.toBe (fare.test.js:2:3)"]


def test_library_frames_of_python_go_with_their_source() -> None:
    text = (
        'ERROR: t\n  File "/usr/lib/python3.11/unittest/case.py", '
        'line 3, in run\n    call()\n  File "/p/t.py", line 9, in t\n    fare(-1)\n'
        "    ^^^^^^^^\nValueError: no"
    )
    assert _kept(text) == ["ERROR: t", '  File "/p/t.py", line 9, in t', "    fare(-1)", "ValueError: no"]


def test_a_long_difference_keeps_both_ends_and_changed_lines() -> None:
    text = (
        "title\n"
        + "\n".join(f"  same {n}" for n in range(40))
        + "\n- old\n+ new\n"
        + "\n".join(f"  same {n}" for n in range(40, 80))
    )
    kept = _kept(text)
    assert len(kept) < 40
    assert kept[0] == "title"
    assert {"- old", "+ new", "  same 79"} <= set(kept)


@pytest.mark.parametrize(
    ("frame", "library"),
    [
        ("at x (node_modules/jest/y.js:1:1)", True),
        ("at processTicks (node:internal/process/task_queues:81:21)", True),
        ("# /usr/lib/ruby/gems/rspec/core.rb:3:in `x'", True),
        ("at src/fare.test.ts:3:1", False),
        ("./spec/ferry_spec.rb:4:in `block'", False),
        ("test/ferry_test.exs:6: (test)", False),
    ],
)
def test_frames_of_libraries_are_told_from_the_users(frame: str, library: bool) -> None:
    assert is_library(frame) is library


def test_a_failure_knows_its_place() -> None:
    made = failure(["  1) prices two", "     got 80", "     # ./spec/ferry_spec.rb:4:in `block'"])
    assert (made.path, made.place) == ("./spec/ferry_spec.rb", "4")


def test_reports_lose_no_line() -> None:
    lines = ["a", "1) x", "b", "", "2) y", "end", "c"]
    assert [line for block in reports(lines, rx(r"\d\) "), rx("end")) for line in block] == lines


def test_passing_names_and_the_headings_over_them_are_counted() -> None:
    lines = ["  fares", "    ✔ one", "    ✔ two", "  groups", "    ✔ three", "    1) four", "  rest", "    ✔ five"]
    pieces = list(counted_names(lines, rx(r"\s*✔")))
    assert count_lines(pieces) == len(lines)
    assert [piece for piece in pieces if isinstance(piece, str)] == ["  groups", "    1) four"]
    assert [len(piece.lines) for piece in pieces if isinstance(piece, Fold) and piece.noun == "passing test"] == [1] * 4


def test_coverage_rows_lose_padding_and_full_files_are_counted() -> None:
    rule = "-----------|---------|---------"
    rows = [f" m{n}.js     |     100 |     100 " for n in range(20)]
    table = [
        rule,
        "File       | % Stmts | % Lines ",
        rule,
        "All files  |   90.00 |   91.00 ",
        *rows,
        " bad.js    |      10 |      12 ",
        rule,
    ]
    assert is_table(table, 0)
    assert table_end([*table, "after"], 0) == len(table)
    shown = render(coverage(table))
    assert "All files | 90.00 | 91.00" in shown
    assert "bad.js | 10 | 12" in shown
    assert any("20 fully covered files" in line for line in shown)
