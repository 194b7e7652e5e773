from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text import critical
from token_saver.text.critical import critical_lines

PARTS = [
    *critical._STEMS,
    "errors",
    "Failed",
    "0 errors",
    "zoom",
    "room",
    "err",
    "or",
    "x",
    " ",
    "é",
    "İ",
    "E   x",
    "e   +",
    "\t",
    "passed",
]


@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=4).map("".join), max_size=8))
def test_the_stems_miss_nothing_that_the_pattern_finds_in_a_line(lines: list[str]) -> None:
    lines = [part for line in lines for part in line.split("\n")]
    expected = [
        index
        for index, line in enumerate(lines)
        if critical._WORDS.search(line.lower()) and critical._FINE.match(line[:2000].lower()) is None
    ]
    assert critical_lines(lines) == expected
