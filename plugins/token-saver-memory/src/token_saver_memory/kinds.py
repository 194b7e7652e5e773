"""The kinds of observations: how much each matters, how long it lives, and whether its title alone names its subject."""

from __future__ import annotations

from typing import NamedTuple

DAY = 86_400.0


class Kind(NamedTuple):
    """What is so of all observations of one kind.

    *priority* orders lists (0 to 1). *days* is the lifetime, None for those that do not decay. *rule* kinds tell what may
    be done: a person's are never retired by an agent and stay visible when the code beside them changes. *titled* kinds
    state one current value a subject; of the others (things that happened) two may well have the same title.
    """

    priority: float
    days: float | None
    rule: bool = False
    titled: bool = True

    @property
    def immune(self) -> bool:
        """Whether age alone never ends it."""
        return self.days is None


KINDS: dict[str, Kind] = {
    "guardrail": Kind(1.0, None, rule=True),
    "ruled_out": Kind(0.95, 180),
    "convention": Kind(0.9, None, rule=True),
    "warning": Kind(0.85, 365),
    "decision": Kind(0.8, None),
    "preference": Kind(0.78, None),
    "error_pattern": Kind(0.75, 365, titled=False),
    "bugfix": Kind(0.7, 180, titled=False),
    "infra": Kind(0.6, 365),
    "config": Kind(0.55, 365),
    "command": Kind(0.5, 60),
    "research": Kind(0.35, 90, titled=False),
    "note": Kind(0.2, 60),
    "idea": Kind(0.15, 120, titled=False),
}

DENIAL_DAYS = 30.0
"""The lifetime of a claim that something cannot be done: such claims outlive the fix that ends them."""
