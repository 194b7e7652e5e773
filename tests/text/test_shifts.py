"""Pairing lines that an edit moved."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.shifts import paired

lines = st.lists(st.integers(1, 200), max_size=12, unique=True).map(sorted)


@given(lines, lines)
def test_all_of_the_shorter_list_is_paired_once_and_in_order(before: list[int], after: list[int]) -> None:
    pairs = paired(before, after)
    assert len(pairs) == min(len(before), len(after))
    assert all(one < other for one, other in pairwise(pairs))
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)


@given(lines, st.data())
def test_where_nothing_moved_each_line_finds_itself(before: list[int], data: st.DataObject) -> None:
    stays = data.draw(st.lists(st.booleans(), min_size=len(before), max_size=len(before)))
    kept = [at for at, stay in enumerate(stays) if stay]
    assert paired(before, [before[at] for at in kept]) == [(at, number) for number, at in enumerate(kept)]


def test_the_line_between_is_the_new_one() -> None:
    assert paired([2, 12, 22], [4, 9, 14, 24]) == [(0, 0), (1, 2), (2, 3)]
    assert paired([2, 7, 12, 17, 22, 27], [6, 11, 16, 26, 31]) == [(0, 0), (1, 1), (2, 2), (4, 3), (5, 4)]


def test_many_lines_are_paired_from_the_start() -> None:
    assert paired(list(range(1, 2000)), list(range(1, 4000)))[-1] == (1998, 1998)
