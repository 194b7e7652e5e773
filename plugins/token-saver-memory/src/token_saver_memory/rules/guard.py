"""Refuses once, then lets pass: a refusal teaches once; twice, it only stands in the way.

What was refused is kept as a hash of the session, the tool and its arguments. Without a session nothing is refused.
"""

from __future__ import annotations

import json
import time
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver_memory import ledger
from token_saver_memory.rules.catalogue import PRECONDITION, WARN, Rule, about, fulfilled

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping


class Verdict(NamedTuple):
    """What is to be said of a call: a *refusal* stops it this once, *advice* goes with it; "" is nothing."""

    refusal: str = ""
    advice: str = ""


class Call(NamedTuple):
    """One call of a tool in a session, in a project (None where there is none)."""

    session: str
    tool: str
    arguments: Mapping[str, Any]
    project_id: int | None = None

    @property
    def key(self) -> str:
        """The hash that stands for the call."""
        described = json.dumps([self.session, self.tool, self.arguments], sort_keys=True, separators=(",", ":"), default=str)
        return sha256(described.encode()).hexdigest()[:32]


def judged(connection: sqlite3.Connection, call: Call, line: str, *, now: float | None = None) -> Verdict:
    """Return what is to be said of a call that runs the command *line*, inside the open transaction."""
    rules = about(line) if call.session else []
    if not rules:
        return Verdict()
    at = time.time() if now is None else now
    stopping = [rule for rule in rules if rule.effect != WARN and not _is_met(connection, call, rule)]
    if not stopping:
        return Verdict(advice=_advice(connection, call, rules, at))
    if _was_refused(connection, call, at):
        for rule in stopping:
            ledger.settle(connection, "refusal", call.session, "insisted", rule=rule.name, now=at)
        return Verdict()
    return Verdict(refusal=_refusal(connection, call, stopping[0], at))


def succeeded(connection: sqlite3.Connection, call: Call, line: str, *, now: float | None = None) -> None:
    """Note the preconditions that a command line fulfilled by succeeding."""
    for name in fulfilled(line):
        ledger.note(connection, "precondition", call.session, project_id=call.project_id, rule=name, outcome="met", now=now)


def _is_met(connection: sqlite3.Connection, call: Call, rule: Rule) -> bool:
    if rule.effect != PRECONDITION:
        return False
    found = connection.execute(
        "SELECT 1 FROM ledger WHERE session_id = ? AND kind = 'precondition' AND rule = ? AND outcome = 'met'",
        (call.session, rule.needs),
    )
    return found.fetchone() is not None


def _was_refused(connection: sqlite3.Connection, call: Call, at: float) -> bool:
    changed = connection.execute(
        "UPDATE guard_pass SET second_at = coalesce(second_at, ?) WHERE session_id = ? AND key = ?", (at, call.session, call.key)
    )
    return changed.rowcount == 1


def _refusal(connection: sqlite3.Connection, call: Call, rule: Rule, at: float) -> str:
    connection.execute("INSERT INTO guard_pass (session_id, key, first_at) VALUES (?, ?, ?)", (call.session, call.key, at))
    ledger.note(connection, "refusal", call.session, project_id=call.project_id, rule=rule.name, now=at)
    if rule.effect == PRECONDITION:
        ledger.note(
            connection, "precondition", call.session, project_id=call.project_id, rule=rule.needs, outcome="unmet", now=at
        )
    return f"{rule.reason}. Better: {rule.better}. To insist, run the same call again: it will pass."


def _advice(connection: sqlite3.Connection, call: Call, rules: list[Rule], at: float) -> str:
    """Return the advice; that the same had to be said again is what became of the last time."""
    told = []
    for rule in (each for each in rules if each.effect == WARN):
        ledger.settle(connection, "advice", call.session, "ignored", rule=rule.name, now=at)
        ledger.note(connection, "advice", call.session, project_id=call.project_id, rule=rule.name, now=at)
        told.append(f"{rule.reason}. Better: {rule.better}.")
    return "\n".join(told)
