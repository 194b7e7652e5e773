"""From sums to what is printed: pure, and the only place where figures of the statistics are derived."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.telemetry import arithmetic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from token_saver.telemetry.prices import Price
    from token_saver.telemetry.queries import Group, Mismatch, Recall, Sums

FEW_RUNS = 5
"""Runs below which it is too early to call a family ineffective."""
LITTLE = 1000
"""Characters below which a family had nothing to do."""


class Basis(NamedTuple):
    """What figures are derived with: how many characters are a token, what tokens cost, and how often they are read again.

    *models* are further prices, for the list of what the net saving is worth with each.
    """

    per_token: float
    price: Price
    turns: int = 0
    models: Sequence[Price] = ()


class Found(NamedTuple):
    """What was asked of the database: the sums of each scope, and the details of one of them."""

    scopes: Mapping[str, Sums | None]
    detailed: str
    families: Sequence[Group]
    commands: Sequence[Group]
    days: Sequence[Group]
    mismatches: Sequence[Mismatch]
    recalls: Sequence[Recall]
    since: str = ""


def figures(sums: Sums, basis: Basis) -> dict[str, Any]:
    """Return every figure of *sums*: characters, tokens (estimated), per cent of what was printed, USD."""
    net_tokens = arithmetic.tokens(sums.net, basis.per_token)
    return {
        "commands": sums.runs,
        "shortened": sums.shortened,
        "original": sums.original,
        "shown": sums.shown,
        "gross": sums.gross,
        "host_cut": sums.host_cut,
        "repeats": sums.repeats,
        "escapes": sums.escapes,
        "recalls": sums.recalls,
        "net": sums.net,
        "gross_percent": arithmetic.percent(sums.gross, sums.original),
        "net_percent": arithmetic.percent(sums.net, sums.original),
        "original_tokens": sums.original_tokens,
        "shown_tokens": sums.shown_tokens,
        "net_tokens": net_tokens,
        "net_usd": round(arithmetic.cost(net_tokens, basis.price, turns=basis.turns), 6),
        "seconds": round(sums.millis / 1000, 3),
    }


def made(found: Found, basis: Basis) -> dict[str, Any]:
    """Return the whole report; ``docs/statistics.md`` describes it, and it is what ``stats --json`` prints."""
    families = [_named(group, basis) for group in found.families]
    return {
        "since": found.since,
        "basis": {
            "characters_per_token": basis.per_token,
            "price": basis.price._asdict(),
            "turns": basis.turns,
        },
        "scopes": {name: None if sums is None else figures(sums, basis) for name, sums in found.scopes.items()},
        "detailed": found.detailed,
        "families": _by_net(families),
        "commands": _by_net([_named(group, basis) for group in found.commands]),
        "days": [_named(group, basis) for group in found.days],
        "least_effective": _least(families),
        "prices": _priced(found, basis),
        "mismatches": [row._asdict() for row in found.mismatches],
        "recalls": [row._asdict() for row in found.recalls],
    }


def _priced(found: Found, basis: Basis) -> list[dict[str, Any]]:
    """Return what the net saving of the detailed scope is worth, by model and by what is paid for it: input, write, read."""
    sums = found.scopes.get(found.detailed)
    count = 0 if sums is None else arithmetic.tokens(sums.net, basis.per_token)
    tiers = ("input", "cache_write", "cache_read")
    return [
        {"model": price.model, **{f"{tier}_usd": round(count * getattr(price, tier) / 1_000_000, 6) for tier in tiers}}
        for price in basis.models
    ]


def _named(group: Group, basis: Basis) -> dict[str, Any]:
    return {"name": group.name, **figures(group.sums, basis)}


def _by_net(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: (-row["net"], row["name"]))


def _least(families: list[dict[str, Any]]) -> list[dict[str, Any]]:
    judged = [row for row in families if row["commands"] >= FEW_RUNS and row["original"] >= LITTLE and row["name"] != "none"]
    return sorted(judged, key=lambda row: (row["net_percent"], row["name"]))
