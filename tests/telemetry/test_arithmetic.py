"""The arithmetic of savings, by figures that were worked out by hand."""

from __future__ import annotations

import pytest

from token_saver.telemetry.arithmetic import Look, cost, given_back, gross, host_cut, percent, saved, tokens
from token_saver.telemetry.prices import Price

BEFORE = Look(at=1000.0, status=1, original=10_000, shown=2_000)


@pytest.mark.parametrize(
    ("original", "shown", "expected"), [(100, 40, 60), (100, 99, 0), (100, 98, 2), (100, 100, 0), (100, 101, 0), (100, 104, -4)]
)
def test_one_character_is_no_saving(original: int, shown: int, expected: int) -> None:
    assert gross(original, shown) == expected


@pytest.mark.parametrize(
    ("original", "shown", "limit", "expected"),
    [
        (100_000, 2_000, 30_000, 70_000),  # the host shows 30,000 of it: 28,000 of 98,000 are ours
        (100_000, 40_000, 30_000, 60_000),  # both are cut to the same: nothing is ours
        (20_000, 2_000, 30_000, 0),
        (100_000, 2_000, 0, 0),
        (40_000, 39_999, 30_000, 0),
        (100, 104, 50, 0),
    ],
)
def test_what_the_host_would_have_cut_is_not_ours(original: int, shown: int, limit: int, expected: int) -> None:
    assert host_cut(original, shown, limit) == expected


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        (Look(1030.0, 1, 10_050, 2_000), (2_000, 0)),
        (Look(1121.0, 1, 10_050, 2_000), (0, 0)),
        (Look(999.0, 1, 10_050, 2_000), (0, 0)),
        (Look(1030.0, 0, 10_050, 2_000), (0, 0)),
        (Look(1030.0, 1, 9_000, 2_000), (0, 0)),
        (Look(1030.0, 1, 30_000, 30_000, more=True), (0, 8_000)),
        (Look(1030.0, 0, 500, 500, more=True), (0, 500)),
    ],
    ids=["the same again", "too late", "earlier", "another status", "another size", "asks for more", "little more"],
)
def test_what_a_second_look_gives_back(now: Look, expected: tuple[int, int]) -> None:
    assert given_back(BEFORE, now) == expected


def test_nothing_is_given_back_where_nothing_was_saved() -> None:
    assert given_back(Look(0.0, 0, 500, 500), Look(1.0, 0, 500, 500)) == (0, 0)


def test_the_net_saving_may_be_negative() -> None:
    again = saved(10_000, 9_990, 0, BEFORE, Look(1001.0, 1, 10_000, 9_990))
    assert (again.gross, again.repeats, again.net) == (10, 8_000, -7_990)


def test_tokens_are_rounded_away_from_nothing() -> None:
    assert [tokens(size, 4.0) for size in (0, 1, 4, 5, -5)] == [0, 1, 1, 2, -2]


def test_tokens_cost_what_the_cache_costs() -> None:
    price = Price("m", input=2.0, cache_write=2.5, cache_read=0.2, source="", read="")
    assert cost(1_000_000, price) == 2.5
    assert cost(1_000_000, price, turns=10) == pytest.approx(4.5)


def test_a_part_of_nothing_is_nothing() -> None:
    assert (percent(1, 0), percent(1, 3)) == (0.0, 33.3)
