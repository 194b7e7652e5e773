"""What another way to rank would have earned, told from the log of the way that was used.

Only the last place of a list is judged: there chance had a hand, and the probability of what it showed is known. An event is
the features of all that could have stood there, which of them did, with what probability, and whether it was fetched.

Sources of the formulas: replay, Li et al. 2011; inverse propensity scores and their self-normalised form, Swaminathan and
Joachims 2015; doubly robust, Dudík et al. 2011; the effective sample size, Kish 1965.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.ranking import algebra
from token_saver_memory.ranking.model import Lesson, Model

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Policy = Callable[[Sequence[Sequence[float]]], int]
    """Says which of several rows of features it would show."""

LEAST = 100.0
"""Below this effective sample size nothing is concluded."""


class Event(NamedTuple):
    """The last place of one list, after it was closed."""

    rows: Sequence[Sequence[float]]
    taken: int
    propensity: float
    reward: float
    explored: bool


class Estimate(NamedTuple):
    """One estimate: None where the events do not bear it; *sample* is the effective number of events behind it."""

    method: str
    value: float | None
    sample: float


def estimates(events: Sequence[Event], policy: Policy, *, least: float = LEAST) -> list[Estimate]:
    """Return what *policy* would have earned in the last place, by four methods."""
    weights = [float(policy(each.rows) == each.taken) / each.propensity for each in events]
    sample = effective_sample(weights)
    found = [_replay(events, policy)]
    found += [Estimate("IPS", _ips(events, weights), sample), Estimate("SNIPS", _snips(events, weights), sample)]
    found.append(Estimate("doubly robust", _doubly_robust(events, policy, weights), sample))
    return [each if each.sample >= least else Estimate(each.method, None, each.sample) for each in found]


def effective_sample(weights: Sequence[float]) -> float:
    """Return ``(Σ w)² / Σ w²``: how many equally weighted events these are worth."""
    squares = sum(weight * weight for weight in weights)
    return sum(weights) ** 2 / squares if squares else 0.0


def _replay(events: Sequence[Event], policy: Policy) -> Estimate:
    """Keep the events that were drawn uniformly and where the policy, asked about what was drawn from, agrees."""
    kept = []
    for each in events:
        if each.explored and policy(each.rows[1:]) == each.taken - 1:
            kept.append(each.reward)
    return Estimate("replay", sum(kept) / len(kept) if kept else None, float(len(kept)))


def _ips(events: Sequence[Event], weights: Sequence[float]) -> float | None:
    return sum(weight * each.reward for weight, each in zip(weights, events, strict=True)) / len(events) if events else None


def _snips(events: Sequence[Event], weights: Sequence[float]) -> float | None:
    total = sum(weights)
    return sum(weight * each.reward for weight, each in zip(weights, events, strict=True)) / total if total else None


def _doubly_robust(events: Sequence[Event], policy: Policy, weights: Sequence[float]) -> float | None:
    """Let a linear model of rewards, fitted on the other half of the events, carry what the weights cannot."""
    if len(events) < 2:
        return None
    halves = (events[::2], events[1::2])
    models = [_reward_model(half) for half in reversed(halves)]
    total = 0.0
    for half, model, own in zip(halves, models, (weights[::2], weights[1::2]), strict=True):
        for each, weight in zip(half, own, strict=True):
            total += algebra.dot(model, each.rows[policy(each.rows)])
            total += weight * (each.reward - algebra.dot(model, each.rows[each.taken]))
    return total / len(events)


def _reward_model(events: Sequence[Event]) -> Sequence[float]:
    model = Model(len(events[0].rows[0]), discount=1.0)
    model.learn(Lesson(each.rows[each.taken], each.reward) for each in events)
    return model.weights()
