from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.text import claims, critical
from token_saver.text.rx import Rx
from token_saver.text.stems import matching_lines

PARTS = [
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
    "PASSED",
    "up to-date",
]


PAIRS = [(critical._STEMS, critical._WORDS), (critical._FINE_STEMS, critical._FINE), (claims._STEMS, claims._SUCCESS)]


@pytest.mark.parametrize(("stems", "pattern"), PAIRS)
@given(data=st.data())
def test_the_stems_miss_nothing_that_the_pattern_finds_in_a_line(
    stems: tuple[str, ...], pattern: Rx, data: st.DataObject
) -> None:
    part = st.sampled_from([*PARTS, *stems])
    lines = data.draw(st.lists(st.lists(part, max_size=4).map("".join), max_size=8))
    expected = [index for index, line in enumerate(lines) if pattern.search(line.lower())]
    assert matching_lines(lines, stems, pattern) == expected


def test_a_claim_is_founded_where_the_capture_states_it() -> None:
    capture = "\x1b[32m3 passed\x1b[0m\nall   good here\nplain\n"
    assert claims.unfounded(["3 passed", "all good here", "plain", "[… 3 lines done]"], capture) is None
    assert claims.unfounded(["plain", "no errors"], capture) == "no errors"
    assert claims.unfounded(["build ok"], "BUILD OK!") is None
