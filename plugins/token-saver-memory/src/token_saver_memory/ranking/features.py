"""What the ranker knows of a row when it is to be shown: only what differs between the rows of one list, and a constant.

The names, their order and the prior weights are part of a model: their hash is stored with it, and another hash is another
model that starts anew.
"""

from __future__ import annotations

from hashlib import sha256
from math import log1p
from typing import NamedTuple

EDIT, SHELL, PROMPT, LISTING = "edit", "shell", "prompt", "listing"

PRIORITY = {
    "guardrail": 1.0,
    "ruled_out": 0.95,
    "convention": 0.9,
    "warning": 0.85,
    "decision": 0.8,
    "preference": 0.8,
    "error_pattern": 0.75,
    "bugfix": 0.7,
    "infra": 0.6,
    "config": 0.55,
    "command": 0.5,
    "research": 0.35,
    "note": 0.2,
    "idea": 0.15,
}
"""How much a type is worth before anything is known of its rows: what keeps one from an error comes first."""
WARNING_TYPES = frozenset({"guardrail", "ruled_out"})
"""Rows that chance neither displaces nor draws."""
_HOW_TO = frozenset({"command", "infra", "config"})
_BEFORE_EDITS = frozenset({"guardrail", "ruled_out", "convention", "warning", "decision"})
_FULL = 40
"""Times shown at which a row counts as often shown."""

PRIOR = {
    "constant": 0.0,
    "priority": 0.25,
    "rule before an edit": 0.25,
    "how-to in a shell": 0.15,
    "same file": 0.3,
    "same folder": 0.1,
    "same symbol": 0.3,
    "lexical": 0.5,
    "recency": 0.15,
    "importance": 0.15,
    "fresh": 0.05,
    "stale": -0.2,
    "confirmed": 0.1,
    "from the user": 0.05,
    "shown in vain": -0.1,
    "fetched": 0.1,
}
"""The features, and the weights that order rows until the model has learnt better; it learns what they get wrong."""
NAMES = tuple(PRIOR)
WEIGHTS = tuple(PRIOR.values())
DIMENSION = len(PRIOR)
_VERSION = 1


class Candidate(NamedTuple):
    """A row that may be shown. *lexical* is its score among the rows found, 0 to 1; *shown* and *fetched* count the past."""

    item_id: int
    type: str
    age_days: float = 0.0
    importance: int = 5
    verdict: str = "unknown"
    review: str = "unreviewed"
    provenance: str = "agent"
    lexical: float = 0.0
    same_file: bool = False
    same_folder: bool = False
    same_symbol: bool = False
    shown: int = 0
    fetched: int = 0


def feature_set() -> str:
    """Return the identity of this set of features."""
    described = f"{_VERSION}:{DIMENSION}:" + ",".join(f"{name}={weight!r}" for name, weight in PRIOR.items())
    return sha256(described.encode()).hexdigest()[:32]


def features(row: Candidate, task: str) -> list[float]:
    """Return the features of *row* for a *task* (``edit``, ``shell``, ``prompt`` or ``listing``), each about 0 to 1."""
    return [
        1.0,
        PRIORITY.get(row.type, 0.3),
        float(task == EDIT and row.type in _BEFORE_EDITS),
        float(task == SHELL and row.type in _HOW_TO),
        float(row.same_file),
        float(row.same_folder),
        float(row.same_symbol),
        row.lexical,
        1.0 / (1.0 + max(0.0, row.age_days) / 30.0),
        row.importance / 10.0,
        float(row.verdict == "fresh"),
        float(row.verdict in ("changed", "missing")),
        float(row.review == "confirmed"),
        float(row.provenance == "user"),
        min(1.0, log1p(max(0, row.shown - row.fetched)) / log1p(_FULL)),
        row.fetched / (row.shown + 2.0),
    ]


def prior(values: list[float]) -> float:
    """Return what a row with these features is expected to earn before anything was learnt."""
    return sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))
