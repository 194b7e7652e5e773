"""Scopes, groups, and the line for the start of a session."""

from __future__ import annotations

import pathlib

import pytest
from tests.telemetry.records import SETTINGS, run, tracker

from token_saver.telemetry import report, spool
from token_saver.telemetry.prices import Price
from token_saver.telemetry.queries import ALL, PROJECT, SESSION, TODAY, Scope, Statistics, session_line, since, today

DAY = 86_400
PRICE = Price("m", 2.0, 2.5, 0.2, "https://example.org", "2026-12-01")
BASIS = report.Basis(4.0, PRICE)


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    """Statistics of two sessions in two projects on two days."""
    tracker(tmp_path).add(
        [
            run(-2 * DAY, session="old", folder="/a", original=1_000, shown=100),
            run(-10, session="new", folder="/b", original=5_000, shown=4_000, host="claude", command="git log", processor="git"),
            run(-9, session="new", folder="/b", kind=spool.RECALL, shown=300, command="git log", processor="git", host="claude"),
            run(-8, session="new", folder="/b", kind=spool.MISMATCH, processor="broken", original=5_000, host="claude"),
            run(-7, session="new", folder="/a", original=50, shown=50, processor="none", command="echo", host="claude"),
        ]
    )
    return tmp_path


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(ALL), (3, 2, 6_050, 1_900, 300, 1_600)),
        (Scope(TODAY, today()), (2, 1, 5_050, 1_000, 300, 700)),
        (Scope(SESSION, "new"), (2, 1, 5_050, 1_000, 300, 700)),
        (Scope(SESSION, "unheard-of"), (0, 0, 0, 0, 0, 0)),
        (Scope(PROJECT, "/a"), (2, 1, 1_050, 900, 0, 900)),
        (Scope(PROJECT, "/unheard-of"), (0, 0, 0, 0, 0, 0)),
    ],
    ids=str,
)
def test_a_scope_sums_its_own(folder: pathlib.Path, scope: Scope, expected: tuple[int, ...]) -> None:
    with tracker(folder).opened() as connection:
        sums = Statistics(connection, scope).sums()
    assert (sums.runs, sums.shortened, sums.original, sums.gross, sums.recalls, sums.net) == expected


@pytest.mark.parametrize("scope", [Scope(ALL), Scope(SESSION, "new"), Scope(PROJECT, "/b"), Scope(TODAY, today())], ids=str)
@pytest.mark.parametrize("by", ["processor", "command", "day"])
def test_groups_add_up_to_their_scope(folder: pathlib.Path, scope: Scope, by: str) -> None:
    with tracker(folder).opened() as connection:
        asked = Statistics(connection, scope)
        groups, sums = asked.groups(by), asked.sums()
    assert len(groups) >= 1
    assert tuple(map(sum, zip(*(group.sums for group in groups), strict=True))) == tuple(sums)


def test_what_was_broken_and_brought_back_is_listed(folder: pathlib.Path) -> None:
    with tracker(folder).opened() as connection:
        asked = Statistics(connection, Scope(SESSION, "new"))
        assert [tuple(row) for row in asked.mismatches()] == [("broken", "pytest", 1, 5_000)]
        assert [tuple(row) for row in asked.recalls()] == [("recall", "git", "git log", 1, 300)]
        assert Statistics(connection, Scope(PROJECT, "/a")).mismatches() == []
        assert since(connection) < today()


def test_the_line_of_a_session_says_what_is_left_of_the_saving(folder: pathlib.Path) -> None:
    assert session_line(SETTINGS, "/a", str(folder)).startswith(
        "Token-Saver: about 225 tokens less to read in this project since 2"
    )
    assert session_line(SETTINGS, "/unheard-of", str(folder)) == ""
    assert session_line({**SETTINGS, "telemetry_enabled": False}, "/a", str(folder)) == ""
    assert session_line(SETTINGS, "/a", str(folder / "nothing")) == ""
    assert not (folder / "nothing").exists()


def test_a_report_derives_all_figures_from_the_sums(folder: pathlib.Path) -> None:
    with tracker(folder).opened() as connection:
        sums = Statistics(connection, Scope(ALL)).sums()
    made = report.figures(sums, report.Basis(4.0, PRICE, turns=10))
    assert (made["gross_percent"], made["net_percent"], made["net_tokens"]) == (31.4, 26.4, 400)
    assert made["net_usd"] == pytest.approx(400 * (2.5 + 10 * 0.2) / 1_000_000)


def test_the_least_effective_families_are_those_that_had_something_to_do(tmp_path: pathlib.Path) -> None:
    families = (("good", 6, 500, 400), ("poor", 6, 500, 5), ("rare", 2, 900, 0), ("tiny", 9, 5, 0))
    records = [
        run(-number, processor=name, command=name, check=number, original=size, shown=size - less)
        for name, count, size, less in families
        for number in range(count)
    ]
    tracker(tmp_path).add(records)
    with tracker(tmp_path).opened() as connection:
        groups = Statistics(connection, Scope(ALL)).groups("processor")
    made = report.made(report.Found({}, ALL, groups, [], [], [], []), BASIS)
    assert [row["name"] for row in made["least_effective"]] == ["poor", "good"]
    assert [row["name"] for row in made["families"]] == ["good", "poor", "rare", "tiny"]
