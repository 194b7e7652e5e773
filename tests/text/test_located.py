"""The shapes in which tools name a place and a reason."""

from __future__ import annotations

import pytest

from token_saver.text.findings import ERROR, STYLE, WARNING, Finding, Heading
from token_saver.text.located import framed, headed, located, trailing_rule


@pytest.mark.parametrize(
    ("line", "path", "place", "rule", "rank"),
    [
        ("app/a.py:12:5: F841 Local variable `x` is never used", "app/a.py", "12:5", "F841", WARNING),
        ("app/a.py:5: error: Bad type  [arg-type]", "app/a.py", "5", "arg-type", ERROR),
        ("a.py:3:1:3:9: error: Bad type  [misc]", "a.py", "3:1", "misc", ERROR),
        ("a.go:12:2: Error return value of `f.Close` is not checked (errcheck)", "a.go", "12:2", "errcheck", WARNING),
        ("Dockerfile:1 DL3007 warning: Using latest is prone to errors", "Dockerfile", "1", "DL3007", WARNING),
        ("R.md:4:81 error MD013/line-length Line length [Expected: 80]", "R.md", "4:81", "MD013/line-length", ERROR),
        ("lib/a.rb:4:5: W: [Correctable] Lint/Foo: Useless assignment", "lib/a.rb", "4:5", "Lint/Foo", WARNING),
        ("lib/a.rb:4:5: C: Line is too long. [88/80]", "lib/a.rb", "4:5", "", STYLE),
        ("a.sh:2:10: note: Use $(...) instead. [SC2006]", "a.sh", "2:10", "SC2006", STYLE),
        ("[a/b.proto:25:1] The line length is 91", "a/b.proto", "25:1", "", WARNING),
        ("a.haml:8 [W] InstanceVariables: Avoid them", "a.haml", "8", "InstanceVariables", WARNING),
        (r"C:\src\a.py:3:1: E501 line too long", r"C:\src\a.py", "3:1", "E501", WARNING),
        ("  /p/a.py:1:8 - error: Not resolved (reportMissingImports)", "/p/a.py", "1:8", "reportMissingImports", ERROR),
        ("a.swift:3:5: warning: Line Length Violation: too long (line_length)", "a.swift", "3:5", "line_length", WARNING),
        ("a.kt:3:5: Missing newline (standard:final)", "a.kt", "3:5", "standard:final", WARNING),
    ],
)
def test_a_place_and_a_reason_are_read(line: str, path: str, place: str, rule: str, rank: int) -> None:
    (found,) = located([line])
    assert isinstance(found, Finding)
    assert (found.path, found.place, found.rule, found.rank) == (path, place, rule, rank)


@pytest.mark.parametrize(
    "line",
    [
        "12:30:45 started",
        "2024-01-01T10:20:30 started",
        "listening on 127.0.0.1:8080",
        "127.0.0.1:8080 refused",
        "Found 3 errors.",
        "http://localhost:8080/x",
        "Note: see below",
        "  at Object.toBe (a.js)",
        "",
    ],
)
def test_other_lines_stay_lines(line: str) -> None:
    assert located([line]) == [line]


def test_source_with_a_caret_and_notes_belong_to_their_finding() -> None:
    lines = ["a.c:1:2: error: bad", "int x", "    ^", "a.c:1:2: note: because", "a.c:9:2: note: alone", "done"]
    first, second, last = located(lines)
    assert isinstance(first, Finding)
    assert first.lines == lines[:4]
    assert isinstance(second, Finding)
    assert second.rule == "note"
    assert last == "done"


def test_rows_below_a_heading_are_of_its_file() -> None:
    lines = ["", "/p/a.js", "  1:1   error  Bad thing      no-bad", "  2:10  warning  Long", "", "✖ 2 problems"]
    _, heading, first, second, _, last = headed(lines)
    assert isinstance(heading, Heading)
    assert isinstance(first, Finding)
    assert (first.path, first.place, first.rule, first.shown) == ("/p/a.js", "1:1", "no-bad", "  1:1  error  Bad thing  no-bad")
    assert isinstance(second, Finding)
    assert second.rule == ""
    assert last == "✖ 2 problems"


def test_a_message_over_two_lines_is_one_finding() -> None:
    lines = ["/p/a.js", "  1:1  error  Do not use it.", "Use the other.  no-it", "  2:1  error  Other  no-other"]
    _, first, second = headed(lines)
    assert isinstance(first, Finding)
    assert (first.lines, first.rule, first.head) == (lines[1:3], "no-it", 2)
    assert isinstance(second, Finding)


def test_an_arrow_names_the_place_of_the_message_above() -> None:
    lines = ["error[E0308]: mismatched", " --> src/a.rs:9:28", "  |", "9 |  x", "note: so", "  --> src/b.rs:1:1", "", "done"]
    found, last = framed(lines)
    assert isinstance(found, Finding)
    assert (found.path, found.place, found.rule, found.rank) == ("src/a.rs", "9:28", "E0308", ERROR)
    assert found.lines == lines[:7]
    assert last == "done"


@pytest.mark.parametrize(
    ("text", "rule"),
    [("x [arg-type]", "arg-type"), ("x (errcheck)", "errcheck"), ("x (a b)", ""), ("x [88/80]", ""), ("x", ""), ("()", "")],
)
def test_the_rule_at_the_end_is_one_word(text: str, rule: str) -> None:
    assert trailing_rule(text) == rule
