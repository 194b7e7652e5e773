"""Lists in the database: closed once, learnt once, through restarts, and the log that other orders are judged by."""

from __future__ import annotations

import pathlib
import random
import sqlite3
from collections.abc import Iterator

import pytest
from token_saver_memory import ledger, schema
from token_saver_memory.ranking import brain, evaluate, shown
from token_saver_memory.ranking.features import DIMENSION, Candidate
from token_saver_memory.ranking.model import Model, unpack_features

from token_saver.hosts import trouble

NOW = 1_000_000.0


def opened(path: pathlib.Path) -> sqlite3.Connection:
    return schema.connect(str(path), timeout=5.0)


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    place = tmp_path / "data" / "memory.db"
    connection = opened(place)
    connection.execute("INSERT INTO project VALUES (1, '/a', 'git', 'a', 0)")
    for number in range(1, 61):
        connection.execute(
            "INSERT INTO item (id, uid, project_id, type, title, provenance, valid_from, recorded_at, seen_at, text_hash)"
            " VALUES (?, ?, 1, 'note', 'a title', 'agent', 0, 0, 0, '')",
            (number, str(number)),
        )
    connection.close()
    return place


@pytest.fixture
def memory(path: pathlib.Path) -> Iterator[sqlite3.Connection]:
    connection = opened(path)
    yield connection
    connection.close()


def candidates(*numbers: int, type_: str = "note") -> list[Candidate]:
    return [Candidate(number, type_, lexical=number / 100) for number in numbers]


def listed(
    memory: sqlite3.Connection, rows: list[Candidate], *, session: str = "s", channel: str = shown.TOOL_LIST, now: float = NOW
) -> list[int]:
    ranked = shown.rank(memory, 1, rows, task="listing", size=10, channel=channel, dice=random.Random(int(now)), epsilon=0.0)
    shown.record(memory, ranked, shown.Listing(1, session, channel), now=now)
    return [each.candidate.item_id for each in ranked.shown]


def outcomes(memory: sqlite3.Connection) -> list[str | None]:
    return [row[0] for row in memory.execute("SELECT outcome FROM impression ORDER BY list_id, rank")]


def test_one_is_fetched_and_nine_are_ignored_even_when_the_process_is_another(path: pathlib.Path) -> None:
    first = opened(path)
    items = listed(first, candidates(*range(1, 11)))
    stored = {row[0]: row[1] for row in first.execute("SELECT item_id, phi FROM impression")}
    first.close()
    second = opened(path)
    assert shown.close(second, [items[2]], "fetched", session="s", now=NOW + 10) == 1
    assert brain.load(second, 1).seen == 1
    expected = Model(DIMENSION)
    expected.learn([shown.lesson(unpack_features(stored[items[2]]), 3, "fetched")], closes_list=False)
    assert brain.load(second, 1).packed() == expected.packed()
    assert shown.sweep(second, session="s", now=NOW + 20) == 9
    assert outcomes(second) == ["ignored"] * 2 + ["fetched"] + ["ignored"] * 7
    assert brain.load(second, 1).seen == 10
    second.close()


def test_a_second_fetch_teaches_nothing(memory: sqlite3.Connection) -> None:
    items = listed(memory, candidates(1, 2))
    assert shown.close(memory, items[:1], "fetched", now=NOW + 1) == 1
    before = brain.load(memory, 1).packed()
    assert shown.close(memory, items[:1], "fetched", now=NOW + 2) == 0
    assert brain.load(memory, 1).packed() == before


def test_a_list_in_between_has_its_own_places(memory: sqlite3.Connection) -> None:
    listed(memory, candidates(1, 2))
    listed(memory, [each._replace(lexical=1.0) for each in candidates(1)], session="other", now=NOW + 5)
    phis = [row[0] for row in memory.execute("SELECT phi FROM impression WHERE item_id = 1 ORDER BY list_id")]
    assert phis[0] != phis[1]
    shown.close(memory, [1], "fetched", session="s", now=NOW + 10)
    assert [row[0] for row in memory.execute("SELECT outcome FROM impression WHERE item_id = 1 ORDER BY list_id")] == [
        "fetched",
        None,
    ]


def test_the_deadline_closes_and_a_late_fetch_is_too_late(memory: sqlite3.Connection) -> None:
    items = listed(memory, candidates(1, 2, 3))
    assert shown.sweep(memory, now=NOW + shown.WINDOW - 1) == 0
    assert shown.close(memory, items, "fetched", now=NOW + shown.WINDOW + 1) == 0
    assert shown.sweep(memory, now=NOW + shown.WINDOW + 1) == 3
    assert shown.sweep(memory, now=NOW + shown.WINDOW + 2) == 0
    assert memory.execute("SELECT closed FROM list_event").fetchall() == [(1,)]


def test_rows_listed_thirty_times_in_vain_fall_below_a_new_one(memory: sqlite3.Connection) -> None:
    old = [row._replace(lexical=0.0) for row in candidates(*range(1, 11))]
    for turn in range(30):
        listed(memory, old, session=str(turn), now=NOW + turn)
        shown.sweep(memory, session=str(turn), now=NOW + turn)
    assert listed(memory, [*old, candidates(11)[0]._replace(lexical=0.0)], now=NOW + 100)[0] == 11


def test_a_row_that_was_shown_whole_is_not_blamed_for_not_being_fetched(memory: sqlite3.Connection) -> None:
    items = listed(memory, candidates(1, 2, type_="ruled_out"), channel=shown.EDIT)
    shown.close(memory, items[:1], "wrong", now=NOW + 1)
    assert brain.load(memory, 1).seen == 1
    shown.sweep(memory, now=NOW + shown.WINDOW + 1)
    assert brain.load(memory, 1).seen == 1 and sorted(map(str, outcomes(memory))) == ["ignored", "wrong"]


def test_of_a_list_of_excerpts_only_what_was_cut_is_blamed(memory: sqlite3.Connection) -> None:
    ranked = shown.rank(memory, 1, candidates(1, 2), task="prompt", size=2, channel=shown.PROMPT, dice=random.Random(1))
    shown.record(memory, ranked, shown.Listing(1, "s", shown.PROMPT, whole=frozenset({1})), now=NOW)
    shown.sweep(memory, session="s", now=NOW + 1)
    assert memory.execute("SELECT item_id, outcome, learned FROM impression ORDER BY item_id").fetchall() == [
        (1, "ignored", 0),
        (2, "ignored", 1),
    ]


def test_rows_that_warn_come_first_where_nobody_asked(memory: sqlite3.Connection) -> None:
    rows = [*candidates(9, 8), *candidates(1, type_="guardrail")]
    assert listed(memory, rows, channel=shown.PROMPT)[0] == 1
    assert listed(memory, [row._replace(lexical=row.item_id / 5) for row in rows])[0] == 9


def test_a_damaged_model_starts_anew_and_says_so(
    memory: sqlite3.Connection, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    items = listed(memory, candidates(1, 2))
    shown.close(memory, items[:1], "fetched", now=NOW + 1)
    model = brain.load(memory, 1)
    model.design[0][0] = -5.0
    memory.execute("UPDATE bandit SET a = ?", (model.packed()[0],))
    assert listed(memory, candidates(1, 2), now=NOW + 2)
    assert brain.load(memory, 1).seen == 0
    assert "NotPositiveDefiniteError" in pathlib.Path(trouble.path()).read_text()


def test_a_model_of_other_features_is_not_used(memory: sqlite3.Connection) -> None:
    items = listed(memory, candidates(1, 2))
    shown.close(memory, items, "fetched", now=NOW + 1)
    memory.execute("UPDATE bandit SET feature_set = 'another'")
    assert brain.load(memory, 1).seen == 0


def test_what_is_old_is_deleted_and_what_was_learnt_stays(memory: sqlite3.Connection) -> None:
    items = listed(memory, candidates(1, 2))
    shown.close(memory, items, "fetched", now=NOW + 1)
    ledger.note(memory, "injection", "s", project_id=1, list_id=1, now=NOW)
    listed(memory, candidates(3), now=NOW + 5)
    ledger.prune(memory, now=NOW + 10)
    assert memory.execute("SELECT count(*) FROM impression").fetchone() == (3,)
    ledger.prune(memory, now=NOW + 10 + ledger.KEPT_DAYS * 86_400)
    assert memory.execute("SELECT item_id FROM impression").fetchall() == [(3,)], "the open list stays"
    assert memory.execute("SELECT count(*) FROM ledger").fetchone() == (0,) and brain.load(memory, 1).seen == 2


def test_orders_are_judged_from_the_log(memory: sqlite3.Connection) -> None:
    dice = random.Random(4)
    memory.execute("BEGIN")
    for turn in range(800):
        rows = candidates(*dice.sample(range(1, 61), 5))
        ranked = shown.rank(memory, 1, rows, task="listing", size=3, channel=shown.TOOL_LIST, dice=dice, epsilon=0.6)
        shown.record(memory, ranked, shown.Listing(1, str(turn), shown.TOOL_LIST), now=NOW + turn)
        last = ranked.shown[-1].candidate
        if dice.random() < 1.0 - last.lexical * 1.5:
            shown.close(memory, [last.item_id], "fetched", now=NOW + turn)
        shown.sweep(memory, session=str(turn), now=NOW + turn)
    memory.execute("COMMIT")
    count, judged = evaluate.judged(memory, 1)
    values = {each.policy: {found.method: found.value for found in each.estimates} for each in judged}
    assert count == 400
    learnt, fixed = values["learnt"]["SNIPS"], values["prior weights"]["SNIPS"]
    assert learnt is not None and fixed is not None and learnt > fixed + 0.05
