from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.columns import squeeze, tabular
from token_saver.text.pieces import count_lines, render

BOX = """\
┌─────────┬─────────┐
│ Package │ Latest  │
├─────────┼─────────┤
│ chalk   │ 6.0.1   │
├─────────┼─────────┤
│ express │ 5.3.0   │
└─────────┴─────────┘"""


def shown(text: str) -> str:
    return "\n".join(render(tabular(text.split("\n"))))


def test_one_blank_is_enough_between_words() -> None:
    assert (
        shown("Package   Version\n--------- -------\nclick     8.1.7\nrich      13.7.1")
        == "Package Version\nclick 8.1.7\nrich 13.7.1"
    )


def test_cells_of_several_words_stay_apart() -> None:
    text = "Name    Stream     Summary\nant     1.10 [d]   Java build tool\nperl    5.26       Language"
    assert shown(text) == "Name  Stream  Summary\nant  1.10 [d]  Java build tool\nperl  5.26  Language"


def test_a_drawn_table_is_told_as_its_cells() -> None:
    assert shown(BOX) == "Package Latest\nchalk 6.0.1\nexpress 5.3.0"


def test_a_panel_keeps_its_title_and_its_words() -> None:
    assert shown("╭─ Error ──────────────╮\n│ the lock file is old │\n╰──────────────────────╯") == "Error\nthe lock file is old"


def test_indentation_stays() -> None:
    assert squeeze("  Installing       : tide   1/3  ") == "  Installing  : tide  1/3"


WORDS = st.text(alphabet="abc1.-", min_size=1, max_size=8)
CELLS = st.lists(st.lists(WORDS, min_size=1, max_size=2).map(" ".join) | st.just(""), min_size=1, max_size=4)
DRAWN = CELLS.map(lambda cells: "│ " + " │ ".join(cells) + " │") | st.just("├────┼────┤")
ALIGNED = CELLS.map(lambda cells: "   ".join(cells)) | st.just("---- ----") | st.just("")


@given(st.lists(DRAWN, max_size=12) | st.lists(ALIGNED, max_size=12) | st.lists(DRAWN | ALIGNED, max_size=12))
def test_every_line_is_accounted_for_and_a_second_pass_changes_nothing(lines: list[str]) -> None:
    pieces = tabular(lines)
    assert count_lines(pieces) == len(lines)
    once = render(pieces)
    assert render(tabular(once)) == once
    for line in lines:
        assert all(word in "\n".join(once) for word in line.split() if word.strip("│├─┼┤-"))
