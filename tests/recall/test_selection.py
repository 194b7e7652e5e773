"""Choosing lines of a kept output."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.errors import InputError
from token_saver.recall import selection

TEXT = """\
===== test session starts =====
collected 2 items

===== FAILURES =====
_____ test_one _____

    assert 1 == 2
E   assert 1 == 2
_____ test_two _____
E   assert 3 == 4
===== short test summary info =====
FAILED test_a.py::test_one
Captured output:
  one
Warnings:
  two"""


@pytest.mark.parametrize(
    ("wanted", "shown"),
    [("2-4", "2\n3\n4\n"), ("4-", "4\n5"), ("-2", "1\n2\n"), ("3", "3\n"), ("2:3", "2\n3\n"), ("5-9", "5"), ("6-", "")],
)
def test_lines_by_their_numbers(wanted: str, shown: str) -> None:
    assert selection.lines("1\n2\n3\n4\n5", wanted) == shown


@pytest.mark.parametrize("wanted", ["", "-", "0-2", "4-2", "a-b", "1-2-3", "1,2"])
def test_what_is_no_range_is_refused(wanted: str) -> None:
    with pytest.raises(InputError, match="--lines"):
        selection.lines("1\n", wanted)


def test_matching_lines_come_with_their_numbers() -> None:
    assert selection.matching("a\nbc\nab\n", "a") == "1:a\n3:ab\n"
    assert selection.matching("a\nbc\r\nab", "b$|^c") == "3:ab"
    assert selection.matching("a\n", "z") == ""
    with pytest.raises(InputError, match="--grep"):
        selection.matching("a", "(")


def test_lines_around_one() -> None:
    numbers = "".join(f"{number}\n" for number in range(1, 101))
    assert selection.around(numbers, 50) == "".join(f"{number}\n" for number in range(40, 61))
    assert selection.around(numbers, 1) == "".join(f"{number}\n" for number in range(1, 12))
    assert selection.around(numbers, 100) == "".join(f"{number}\n" for number in range(90, 101))
    assert selection.around(numbers, 101) == ""
    with pytest.raises(InputError, match="--around"):
        selection.around(numbers, 0)


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("failures", "===== FAILURES =====", "E   assert 3 == 4"),
        ("test_one", "_____ test_one _____", "E   assert 1 == 2"),
        ("TEST_TWO", "_____ test_two _____", "E   assert 3 == 4"),
        ("captured", "Captured output:", "  one"),
        ("warnings", "Warnings:", "  two"),
    ],
)
def test_a_section_goes_up_to_the_next_heading_of_its_kind_or_of_an_outer_one(name: str, first: str, last: str) -> None:
    found = selection.section(TEXT, name).splitlines()
    assert (found[0], found[-1]) == (first, last)


def test_without_a_heading_it_is_the_paragraph() -> None:
    assert selection.section("one x\na\n\ntwo x\nb\nc\n\nthree\n", "two") == "two x\nb\nc\n"
    assert selection.section("one\n", "two") == ""


@given(st.text(alphabet="a\n\r\x0b\u2028é", max_size=60))
def test_all_lines_are_the_whole_text(text: str) -> None:
    assert selection.lines(text, "1-") == text
    assert "".join(selection.lines(text, str(number)) for number in range(1, text.count("\n") + 2)) == text
