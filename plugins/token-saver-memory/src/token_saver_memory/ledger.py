"""What the memory did in the sessions, what that cost, and what became of it. What was not measured is no number.

=============  =====================================================  ========================================================
kind           written when                                           outcome
=============  =====================================================  ========================================================
injection      rows were put before the model unasked                 acted_on: one was fetched or found useful; ignored: none
                                                                      was, by the deadline of the list
advice         a rule remarked on a command                           ignored: had to be said again in the session; acted_on:
                                                                      had not, by the session's end
refusal        a rule stopped a call                                  insisted: the same call came again; acted_on: it had not,
                                                                      by the session's end
precondition   a rule asked for something to be done before           met: it was done; unmet: it was not, and the call stopped
silence        a prompt was searched for and nothing was near enough  none: there is nothing to become of it
miss           the user had to repeat what was told before            was_shown, was_not_shown: whether the memory had it before
                                                                      the model in this session; none when it did not have it
=============  =====================================================  ========================================================
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

KEPT_DAYS = 180.0
"""How long events, lists and passes of the guard are kept; what was learnt from them stays."""
_OLD = "shown_at < :before AND closed = 1"
_EXPIRING = (
    f"DELETE FROM ledger WHERE at < :before OR list_id IN (SELECT list_id FROM list_event WHERE {_OLD})",
    f"DELETE FROM impression WHERE list_id IN (SELECT list_id FROM list_event WHERE {_OLD})",
    f"DELETE FROM list_event WHERE {_OLD}",
    "DELETE FROM guard_pass WHERE first_at < :before",
)
_BY_SESSION_END = {"advice": "acted_on", "refusal": "acted_on"}


def note(
    connection: sqlite3.Connection,
    kind: str,
    session: str,
    *,
    project_id: int | None,
    rule: str = "",
    item_id: int | None = None,
    list_id: int | None = None,
    tokens: int = 0,
    outcome: str | None = None,
    now: float | None = None,
) -> None:
    """Write one event, inside the open transaction."""
    at = time.time() if now is None else now
    connection.execute(
        "INSERT INTO ledger (project_id, session_id, kind, rule, item_id, list_id, tokens, at, outcome, outcome_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (project_id, session, kind, rule, item_id, list_id, tokens, at, outcome, at if outcome else None),
    )


def settle(
    connection: sqlite3.Connection, kind: str, session: str, outcome: str, *, rule: str = "", now: float | None = None
) -> int:
    """Write what became of the open events of a *kind* in a session (of one *rule*, of all when ""); returns how many."""
    at = time.time() if now is None else now
    changed = connection.execute(
        "UPDATE ledger SET outcome = ?, outcome_at = ? WHERE session_id = ? AND kind = ? AND outcome IS NULL"
        " AND (? = '' OR rule = ?)",
        (outcome, at, session, kind, rule, rule),
    )
    return changed.rowcount


def end_session(connection: sqlite3.Connection, session: str, *, now: float | None = None) -> None:
    """Settle what waited for the end of a session."""
    for kind, outcome in _BY_SESSION_END.items():
        settle(connection, kind, session, outcome, now=now)


def settle_injections(connection: sqlite3.Connection, *, now: float | None = None) -> int:
    """Write what became of the injections whose lists are closed, or one of whose rows was taken up; returns how many."""
    at = time.time() if now is None else now
    taken_up = "EXISTS (SELECT 1 FROM impression i WHERE i.list_id = ledger.list_id AND i.outcome IN ('fetched', 'useful'))"
    is_closed = "EXISTS (SELECT 1 FROM list_event l WHERE l.list_id = ledger.list_id AND l.closed = 1)"
    changed = connection.execute(
        f"UPDATE ledger SET outcome = iif({taken_up}, 'acted_on', 'ignored'), outcome_at = ?"
        f" WHERE kind = 'injection' AND outcome IS NULL AND ({taken_up} OR {is_closed})",
        (at,),
    )
    return changed.rowcount


def prune(connection: sqlite3.Connection, *, now: float | None = None) -> None:
    """Delete what is older than ``KEPT_DAYS``, inside the open transaction; a list that is still open stays."""
    before = (time.time() if now is None else now) - KEPT_DAYS * 86_400.0
    for statement in _EXPIRING:
        connection.execute(statement, {"before": before})


class Balance(NamedTuple):
    """What is known of a project's ledger: events by kind and outcome, and figures that are None where nothing is known."""

    counts: dict[str, dict[str, int]]
    spent_tokens: int | None
    taken_up_share: float | None
    net_tokens: int | None
    miss_rate: float | None


def balance(connection: sqlite3.Connection, project_id: int) -> Balance:
    """Return what was measured: *net_tokens* are the tokens of injections taken up less those of injections ignored."""
    counts: dict[str, dict[str, int]] = {}
    for kind, outcome, count in connection.execute(
        "SELECT kind, coalesce(outcome, 'not known'), count(*) FROM ledger WHERE project_id = ? GROUP BY 1, 2 ORDER BY 1, 2",
        (project_id,),
    ):
        counts.setdefault(kind, {})[outcome] = count
    spent, used, lost, taken_up, measured = connection.execute(
        "SELECT sum(tokens), sum(iif(outcome = 'acted_on', tokens, 0)), sum(iif(outcome = 'ignored', tokens, 0)),"
        " sum(outcome = 'acted_on'), count(outcome) FROM ledger WHERE project_id = ? AND kind = 'injection'",
        (project_id,),
    ).fetchone()
    return Balance(
        counts,
        spent,
        taken_up / measured if measured else None,
        used - lost if measured else None,
        _miss_rate(connection, project_id),
    )


def _miss_rate(connection: sqlite3.Connection, project_id: int) -> float | None:
    """Return the share of the misses whose answer was not before the model, of those where the memory had it."""
    shown, missing = connection.execute(
        "SELECT sum(outcome = 'was_shown'), sum(outcome = 'was_not_shown') FROM ledger WHERE project_id = ? AND kind = 'miss'",
        (project_id,),
    ).fetchone()
    return missing / (shown + missing) if shown or missing else None


def described(found: Balance) -> list[str]:
    """Return the balance as lines to read; what is not known is said to be so."""
    listed = {kind: ", ".join(f"{count} {outcome}" for outcome, count in row.items()) for kind, row in found.counts.items()}
    figures = {
        "tokens put before the model unasked": found.spent_tokens,
        "share of it taken up": None if found.taken_up_share is None else f"{found.taken_up_share:.0%}",
        "net tokens": found.net_tokens,
        "misses that the memory could have spared": None if found.miss_rate is None else f"{found.miss_rate:.0%}",
    }
    return [f"{name}: {'no data' if value is None else value}" for name, value in {**listed, **figures}.items()]
