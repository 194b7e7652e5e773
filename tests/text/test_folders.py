from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text import Fold, Rules, allowance, cap, ends, repeats, runs, rx, select, sieve, tree
from token_saver.text.pieces import count_lines, render

if TYPE_CHECKING:
    from token_saver.text.pieces import Piece

RULES = Rules({r"\S+ PASSED": "passing test", r"(?:a|b)+$": "line of letters"})
LINES = st.lists(
    st.sampled_from(["t.py PASSED", "aab", "E  boom", "", "value 17", "value 18", "src/a.py", "src/b.py"]), max_size=40
)


def kept(pieces: list[Piece]) -> list[str]:
    return [piece for piece in pieces if isinstance(piece, str)]


@given(LINES)
def test_no_folder_loses_or_doubles_a_line(lines: list[str]) -> None:
    made: list[list[Piece]] = [
        list(sieve(lines, RULES)),
        list(cap(lines, 3, "line")),
        list(ends(lines, 2, 2, "line", keep=rx("^E "))),
        list(runs(lines)),
        list(repeats(lines)),
        list(select(lines, 60, "line")),
        list(tree(lines)),
    ]
    for pieces in made:
        assert count_lines(pieces) == len(lines)
        flat = [line for piece in pieces for line in ([piece] if isinstance(piece, str) else piece.lines)]
        assert flat == lines


@given(LINES)
def test_what_is_rendered_is_never_longer(lines: list[str]) -> None:
    for pieces in (sieve(lines, RULES), runs(lines), repeats(lines), tree(lines), select(lines, 60, "line")):
        assert len("\n".join(render(pieces))) <= len("\n".join(lines))


def test_a_sieve_counts_what_its_rules_know_and_keeps_the_rest_in_order() -> None:
    lines = ["x.py::test_a PASSED", "x.py::test_b PASSED", "what is this", "abab"]
    pieces = list(sieve(lines, RULES))
    assert [piece.noun if isinstance(piece, Fold) else piece for piece in pieces] == [
        "passing test",
        "what is this",
        "line of letters",
    ]


def test_ends_keeps_what_matters_between_them() -> None:
    lines = ["a", "b", "c", "E boom", "d", "e"]
    assert kept(list(ends(lines, 1, 1, "line", keep=rx("^E ")))) == ["a", "E boom", "e"]


def test_select_prefers_failures_to_ends() -> None:
    lines = [f"step {chr(97 + n % 26)} of the build {n}" for n in range(200)]
    lines[100] = "error: the one line that decides"
    result = kept(list(select(lines, 500, "line")))
    assert "error: the one line that decides" in result
    assert result[0] == lines[0] and result[-1] == lines[-1]
    assert sum(len(line) + 1 for line in result) <= 500


def test_select_keeps_at_least_one_line() -> None:
    assert len(kept(list(select(["x" * 50, "y" * 50], 10, "line")))) == 1


def test_tree_writes_a_shared_folder_once_and_no_name_is_lost() -> None:
    paths = ["src/token/a.py", "src/token/b.py", "src/token/c.py", "docs/x.md"]
    assert render(tree(paths)) == ["src/token/: a.py b.py c.py", "docs/x.md"]


def test_tree_leaves_names_with_blanks_alone() -> None:
    assert render(tree(["d/a b", "d/c d"])) == ["d/a b", "d/c d"]


def test_twice_the_output_is_less_than_twice_the_reading() -> None:
    assert allowance(1000) == 2000
    for chars in (10_000, 100_000, 1_000_000):
        assert allowance(chars) < allowance(2 * chars) < 1.5 * allowance(chars)
