"""Sums over the cases of a replay, in memory that does not grow with their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_FAMILIES = 1000
OTHERS = "(others)"


class Sums(NamedTuple):
    """Sums over some cases; ``required`` counts what had to survive, ``lost`` what of it did not."""

    cases: int = 0
    failed: int = 0
    original_tokens: int = 0
    compressed_tokens: int = 0
    required: int = 0
    lost: int = 0

    def plus(self, case: Mapping[str, Any]) -> Sums:
        """Return the sums with the report of one more case."""
        return Sums(
            self.cases + 1,
            self.failed + (not case["passed"]),
            self.original_tokens + case["original_tokens"],
            self.compressed_tokens + case["compressed_tokens"],
            self.required + required(case),
            self.lost + lost(case),
        )

    @property
    def saved_percent(self) -> float:
        """Tokens saved, in percent; 0 for nothing."""
        return 100 * (1 - self.compressed_tokens / self.original_tokens) if self.original_tokens else 0.0


class Totals:
    """What all cases together amount to; ``violations`` are those of the replay as a whole."""

    def __init__(self, max_total_tokens: int | None) -> None:
        self._most = max_total_tokens
        self.all = Sums()
        self.families: dict[str, Sums] = {}
        self.method = ""
        self.further_violations: list[str] = []

    def add(self, case: Mapping[str, Any]) -> None:
        """Count one case."""
        self.all = self.all.plus(case)
        self.method = case["token_estimate"]["method"]
        family = case["family"]
        if family not in self.families and len(self.families) >= MOST_FAMILIES:
            family = OTHERS
        self.families[family] = self.families.get(family, Sums()).plus(case)

    @property
    def violations(self) -> list[str]:
        """Identifiers of what the replay as a whole fails."""
        over = self._most is not None and self.all.compressed_tokens > self._most
        return [*(["max_total_tokens"] if over else []), *self.further_violations]

    @property
    def passed(self) -> bool:
        """Whether every case holds, and all of them together."""
        return not self.all.failed and not self.violations

    def report(self) -> dict[str, Any]:
        """Return the sums as reports show them."""
        sums = self.all
        return {
            "cases": sums.cases,
            "passed": sums.cases - sums.failed,
            "failed": sums.failed,
            "original_tokens": sums.original_tokens,
            "compressed_tokens": sums.compressed_tokens,
            "saved_tokens": sums.original_tokens - sums.compressed_tokens,
            "savings_percent": round(sums.saved_percent, 2),
            "token_estimate": {"method": self.method},
            "required": sums.required,
            "lost": sums.lost,
            "max_total_tokens": self._most,
            "violations": self.violations,
        }


def required(case: Mapping[str, Any]) -> int:
    """Return how many strings and patterns had to survive in *case*."""
    limits = case["limits"]
    return int(limits["must_preserve_count"] + limits["must_preserve_patterns_count"])


def lost(case: Mapping[str, Any]) -> int:
    """Return how many strings and patterns of *case* that had to survive did not, or never stood in the input."""
    return sum(violation.startswith("must_preserve") for violation in case["violations"])
