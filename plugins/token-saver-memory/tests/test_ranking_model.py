"""The algebra of the ranker: against exact arithmetic, under discount, damaged, and on the simulated user."""

from __future__ import annotations

import ast
import importlib.util
import pathlib
import random
import sys
from fractions import Fraction
from types import ModuleType

import pytest
import token_saver_memory.ranking
from token_saver_memory.ranking import algebra
from token_saver_memory.ranking.model import Lesson, Model

RANKING = pathlib.Path(token_saver_memory.ranking.__file__).parent
BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent / "benchmarks"
DIMENSION = 6
DISCOUNT = 0.99609375
"""A sum of powers of two, so that the exact oracle stays small."""


def lessons(count: int, seed: int = 7) -> list[Lesson]:
    dice = random.Random(seed)
    return [
        Lesson(
            [1.0, *(dice.randrange(64) / 64 for _ in range(DIMENSION - 1))], float(dice.random() < 0.3), dice.choice([1.0, 0.5])
        )
        for _ in range(count)
    ]


class Exact:
    """The same model in fractions, by elimination: no rounding, no shared code."""

    def __init__(self, discount: Fraction) -> None:
        self.discount = discount
        self.design = [[Fraction(row == column) for column in range(DIMENSION)] for row in range(DIMENSION)]
        self.target = [Fraction(0)] * DIMENSION

    def learn(self, lesson: Lesson) -> None:
        row = [Fraction(value) for value in lesson.features]
        weight = Fraction(lesson.weight)
        for left in range(DIMENSION):
            self.target[left] = self.discount * self.target[left] + weight * Fraction(lesson.reward) * row[left]
            for right in range(DIMENSION):
                self.design[left][right] *= self.discount
                self.design[left][right] += weight * row[left] * row[right] + (1 - self.discount) * (left == right)

    def weights(self) -> list[float]:
        rows = [[*line, value] for line, value in zip(self.design, self.target, strict=True)]
        for pivot in range(DIMENSION):
            rows[pivot] = [value / rows[pivot][pivot] for value in rows[pivot]]
            for other in range(DIMENSION):
                if other != pivot:
                    rows[other] = [a - rows[other][pivot] * b for a, b in zip(rows[other], rows[pivot], strict=True)]
        return [float(row[-1]) for row in rows]


@pytest.mark.parametrize("discount", [1.0, DISCOUNT])
def test_the_weights_are_those_of_exact_arithmetic_after_a_thousand_updates(discount: float) -> None:
    model, exact = Model(DIMENSION, discount=discount), Exact(Fraction(discount))
    for lesson in lessons(1000):
        model.learn([lesson])
        exact.learn(lesson)
    difference = [abs(a - b) for a, b in zip(model.weights(), exact.weights(), strict=True)]
    assert max(difference) < 1e-9


def test_the_scores_are_those_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    model = Model(DIMENSION, discount=DISCOUNT)
    design, spread, target = numpy.eye(DIMENSION), numpy.eye(DIMENSION), numpy.zeros(DIMENSION)
    for lesson in lessons(1000):
        model.learn([lesson])
        row, weight = numpy.array(lesson.features), lesson.weight
        design = DISCOUNT * design + weight * numpy.outer(row, row) + (1 - DISCOUNT) * numpy.eye(DIMENSION)
        spread = DISCOUNT**2 * spread + weight**2 * numpy.outer(row, row) + (1 - DISCOUNT**2) * numpy.eye(DIMENSION)
        target = DISCOUNT * target + weight * lesson.reward * row
    inverse = numpy.linalg.inv(design)
    for lesson in lessons(50, seed=8):
        row = numpy.array(lesson.features)
        (found,) = model.score([lesson.features])
        assert found.mean == pytest.approx(float(row @ inverse @ target), abs=1e-9)
        assert found.bonus == pytest.approx(model.alpha * float(row @ inverse @ spread @ inverse @ row) ** 0.5, abs=1e-9)


def test_the_ridge_is_refilled_where_nothing_is_seen() -> None:
    model = Model(2, discount=0.9)
    for _ in range(2000):
        model.learn([Lesson([1.0, 0.0], 0.0)])
    assert model.design[1][1] == pytest.approx(1.0) and model.spread[1][1] == pytest.approx(1.0)


def test_what_is_shown_in_vain_is_expected_to_earn_less_and_loses_its_bonus() -> None:
    model = Model(2, discount=1.0)
    row = [1.0, 0.5]
    model.learn([Lesson(row, 1.0)])
    before = model.score([row])[0]
    model.learn([Lesson(row, 0.0) for _ in range(20)])
    after = model.score([row])[0]
    assert after.mean < before.mean and after.bonus < before.bonus


def test_a_stored_state_is_the_same_state() -> None:
    model, other = Model(DIMENSION), Model(DIMENSION)
    model.learn(lessons(50))
    other.unpack(*model.packed(), model.seen)
    row = lessons(1, seed=3)[0].features
    assert other.score([row]) == model.score([row]) and other.seen == 50


def test_a_damaged_state_is_refused() -> None:
    good = Model(2)
    design, spread, target = good.packed()
    with pytest.raises(algebra.NotPositiveDefiniteError):
        Model(2).unpack(design[:-8], spread, target, 1)
    good.design[0][0] = -1.0
    with pytest.raises(algebra.NotPositiveDefiniteError):
        Model(2).unpack(good.packed()[0], spread, target, 1)
    good.design[0][0] = float("nan")
    with pytest.raises(algebra.NotPositiveDefiniteError):
        good.weights()


def test_learning_needs_nothing_but_the_standard_library() -> None:
    allowed = sys.stdlib_module_names | {"token_saver_memory", "token_saver"}
    for path in RANKING.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, path.name


@pytest.fixture(scope="module")
def simulation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("ranker_benchmark", BENCHMARKS / "ranker.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def share(simulation: ModuleType, name: str, *, drift: bool) -> float:
    (learner,) = (each for each in simulation.LEARNERS if each.name == name)
    results = [simulation.run(learner, seed, lists=600, tail=120, drift=drift) for seed in range(2)]
    return float(sum(each.share for each in results) / len(results))


def test_the_simulated_user_is_served_nearly_ideally(simulation: ModuleType) -> None:
    assert share(simulation, "discounted", drift=False) >= 0.90


def test_a_replaced_taste_is_learnt(simulation: ModuleType) -> None:
    assert share(simulation, "discounted", drift=True) >= 0.80


def test_clicks_alone_teach_nothing(simulation: ModuleType) -> None:
    assert share(simulation, "clicks alone", drift=False) < 0.70
