"""The order of a list, the chance in its last place, and what the log of that chance tells of another order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest
from token_saver_memory.ranking import features as described
from token_saver_memory.ranking import offpolicy
from token_saver_memory.ranking.explore import ordered
from token_saver_memory.ranking.position import examined

SCORES = [0.1, 0.9, 0.5, 0.7, 0.3]


def test_without_chance_the_best_are_shown_for_certain() -> None:
    found = ordered(SCORES, 3, may_move=[True] * 5, epsilon=0.0, dice=random.Random(1))
    assert [place.position for place in found.places] == [1, 3, 2]
    assert {place.propensity for place in found.places} == {1.0} and found.rivals == []


def test_chance_has_the_last_place_alone_as_often_as_is_logged() -> None:
    dice = random.Random(2)
    seen: Counter[int] = Counter()
    for _ in range(20_000):
        found = ordered(SCORES, 3, may_move=[True] * 5, epsilon=0.3, dice=dice)
        assert [place.position for place in found.places[:2]] == [1, 3] and found.rivals == [2, 4, 0]
        last = found.places[-1]
        assert last.propensity == pytest.approx(0.15 if last.explored else 0.7)
        seen[last.position] += 1
    assert seen[2] / 20_000 == pytest.approx(0.7, abs=0.02)
    assert seen[4] / 20_000 == pytest.approx(0.15, abs=0.02)


def test_rows_that_warn_are_neither_displaced_nor_drawn() -> None:
    dice = random.Random(3)
    for _ in range(500):
        fixed = ordered(SCORES, 3, may_move=[True, True, False, True, True], epsilon=1.0, dice=dice)
        assert fixed.places[-1].position == 2 and fixed.places[-1].propensity == 1.0
        drawn = ordered(SCORES, 3, may_move=[True, True, True, True, False], epsilon=1.0, dice=dice)
        assert drawn.places[-1].position == 0


def test_a_short_list_is_left_alone() -> None:
    assert ordered([], 3, may_move=[], epsilon=1.0, dice=random.Random(1)).places == []
    assert [
        place.position for place in ordered([0.1, 0.2], 3, may_move=[True] * 2, epsilon=1.0, dice=random.Random(1)).places
    ] == [1, 0]


def test_a_lower_rank_is_looked_at_less() -> None:
    assert [examined(rank) for rank in (1, 3)] == [1.0, 0.5]
    assert all(examined(rank) > examined(rank + 1) > 0 for rank in range(1, 50))


def test_every_feature_but_the_constant_can_differ_within_one_list() -> None:
    rows = [
        described.Candidate(1, "guardrail", verdict="fresh", review="confirmed", provenance="user", lexical=1.0, importance=9),
        described.Candidate(2, "command", age_days=90, verdict="changed", same_file=True, same_folder=True, same_symbol=True),
        described.Candidate(3, "note", shown=30, fetched=2),
    ]
    tasks = (described.EDIT, described.SHELL)
    columns = [set(column) for task in tasks for column in zip(*(described.features(row, task) for row in rows), strict=True)]
    either = [a | b for a, b in zip(columns[: described.DIMENSION], columns[described.DIMENSION :], strict=True)]
    assert [name for name, values in zip(described.NAMES, either, strict=True) if len(values) == 1] == ["constant"]


def test_another_set_of_features_has_another_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    before = described.feature_set()
    monkeypatch.setattr(described, "PRIOR", dict(reversed(described.PRIOR.items())))
    assert described.feature_set() != before


def logged(count: int, epsilon: float = 0.4, seed: int = 5) -> tuple[list[offpolicy.Event], float]:
    """A log of last places, and what the policy ``wanted`` really earns there."""
    dice = random.Random(seed)
    events, truth = [], 0.0
    for _ in range(count):
        rows = [[1.0, dice.random(), dice.random()] for _ in range(5)]
        explored = dice.random() < epsilon
        taken = dice.randrange(1, 5) if explored else 0
        propensity = epsilon / 4 if explored else 1 - epsilon
        reward = float(dice.random() < 0.1 + 0.6 * rows[taken][1])
        events.append(offpolicy.Event(rows, taken, propensity, reward, explored))
        truth += 0.1 + 0.6 * rows[wanted(rows)][1]
    return events, truth / count


def wanted(rows: Sequence[Sequence[float]]) -> int:
    return max(range(len(rows)), key=lambda position: rows[position][1])


def test_the_estimates_find_what_another_order_would_have_earned() -> None:
    events, truth = logged(12_000)
    found = {each.method: each for each in offpolicy.estimates(events, wanted)}
    for method in ("IPS", "SNIPS", "doubly robust"):
        assert found[method].value == pytest.approx(truth, abs=0.04), method
    drawn = [0.1 + 0.6 * max(row[1] for row in each.rows[1:]) for each in events]
    assert found["replay"].value == pytest.approx(sum(drawn) / len(drawn), abs=0.05)


def test_the_estimate_of_the_order_that_was_used_is_what_it_earned() -> None:
    events, _ = logged(12_000)
    earned = [each.reward for each in events if not each.explored]
    found = {each.method: each.value for each in offpolicy.estimates(events, lambda rows: 0)}
    assert found["SNIPS"] == pytest.approx(sum(earned) / len(earned))


def test_nothing_is_concluded_from_too_few_events() -> None:
    events, _ = logged(60)
    assert [each.value for each in offpolicy.estimates(events, wanted)] == [None] * 4
    assert offpolicy.estimates([], wanted)[1].sample == 0.0


def test_equal_weights_are_worth_their_number() -> None:
    assert offpolicy.effective_sample([2.0] * 30) == pytest.approx(30)
    assert offpolicy.effective_sample([100.0, *[1.0] * 29]) < 2
