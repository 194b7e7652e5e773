from __future__ import annotations

from token_saver.text import Fold, Recast
from token_saver.text.pieces import count_lines, omissions, render

LONG = [f"tests/test_{n}.py::test_case PASSED" for n in range(4)]


def test_a_fold_becomes_one_marker_with_its_number() -> None:
    assert render(["a", Fold(LONG, "passing test"), "b"]) == ["a", "[… 4 passing tests]", "b"]


def test_neighbouring_folds_share_a_marker_with_one_count_a_noun() -> None:
    pieces = [Fold(LONG, "passing test"), Fold(["platform linux"], "line of banner"), Fold(LONG, "passing test")]
    assert render(pieces) == ["[… 8 passing tests, 1 line of banner]"]


def test_a_blank_line_between_folds_does_not_part_them() -> None:
    assert render([Fold(LONG, "passing test"), "", Fold(LONG, "passing test")]) == ["[… 8 passing tests]"]


def test_a_marker_longer_than_its_lines_is_not_used() -> None:
    assert render(["x", Fold(["ok"], "line of passing tests"), "y"]) == ["x", "ok", "y"]


def test_a_recast_longer_than_its_lines_is_not_used() -> None:
    assert render([Recast("a much longer text", ["short"])]) == ["short"]
    assert render([Recast("a b", ["a      b"])]) == ["a b"]


def test_blank_lines_are_not_counted() -> None:
    assert render([Fold(["", *LONG, ""], "passing test")]) == ["[… 4 passing tests]"]
    assert omissions([Fold(["", *LONG, ""], "passing test"), Fold([""], "nothing")]) == [(4, "passing test")]


def test_runs_of_blank_lines_become_one_and_the_last_goes() -> None:
    assert render(["a", "", "", "b", ""]) == ["a", "", "b"]


def test_names_follow_the_count() -> None:
    assert render([Fold(LONG, "file", names="a.py, b.py")]) == ["[… 4 files: a.py, b.py]"]


def test_every_line_is_accounted_for() -> None:
    assert count_lines(["a", Fold(LONG, "passing test"), Recast("b c", ["b", "c"])]) == 7
