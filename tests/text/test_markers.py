from __future__ import annotations

import re

import pytest

from token_saver.text.markers import cut, has_marker, is_marker, marker, plural


@pytest.mark.parametrize(
    ("count", "noun", "expected"),
    [
        (1, "line of banner", "line of banner"),
        (2, "line of banner", "lines of banner"),
        (3, "passing test", "passing tests"),
        (2, "branch", "branches"),
        (2, "file without a finding", "files without a finding"),
        (4, "match in other files", "matches in other files"),
        (2, "dependency", "dependencies"),
        (0, "key", "keys"),
    ],
)
def test_nouns_take_the_number_of_their_count(count: int, noun: str, expected: str) -> None:
    assert plural(count, noun) == expected


def test_what_is_made_is_recognised() -> None:
    made = marker([(3, "file", "a[1].py, b"), (1, "line of banner", "")])
    assert made == "[… 3 files: a[1].py, b, 1 line of banner]"
    assert is_marker(made) and is_marker("    " + made) and has_marker(f"x\n{made}\ny")


@pytest.mark.parametrize("line", ["[… ]", "[… many lines]", "[...] 3 lines", "see [… 3 lines] there", "[… 3 lines"])
def test_other_text_is_no_marker(line: str) -> None:
    assert not is_marker(line)


def test_a_cut_says_how_much_it_took() -> None:
    line = "a" * 100 + "b" * 840 + "c" * 50
    short = cut(line, 100, 50)
    assert short == "a" * 100 + " …[+840 chars]… " + "c" * 50
    assert has_marker(short)


def test_a_cut_that_gains_nothing_is_not_made() -> None:
    assert cut("a" * 60, 30, 20) == "a" * 60


def test_a_cut_keeps_what_stands_around_a_word_of_failure() -> None:
    line = "x " * 2000 + "ERROR: boom in module ledger" + " y" * 2000
    short = cut(line, 1000, 500)
    assert "ERROR: boom in module ledger" in short and len(short) < 1800
    gone = sum(int(number) for number in re.findall(r"\[\+(\d+) chars\]", short))
    assert gone + len(re.sub(r" …\[\+\d+ chars\]… ", "", short)) == len(line)
