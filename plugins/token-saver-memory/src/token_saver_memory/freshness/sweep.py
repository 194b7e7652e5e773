"""Stores verdicts and what follows from them; a sweep without a change in the code writes nothing.

A row whose code changed or went is quarantined until the code comes back; a person's dispute stays, and rules (what may be
done) stay visible with their verdict. The state follows from the latest evidence alone, never from how often it was found.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.freshness.verdict import CHANGED, FRESH, MISSING, Code, explained, state
from token_saver_memory.kinds import KINDS
from token_saver_memory.values import SYSTEM, Verdict
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    import sqlite3

    from token_saver_memory.values import Scope

_EVIDENCE = {FRESH: "anchor_same", CHANGED: "anchor_changed", MISSING: "symbol_missing"}


class Anchored(NamedTuple):
    """A row that is anchored to code, and its stored state."""

    id: int
    type: str
    review: str
    symbol: str
    file_path: str
    anchor: str
    verdict: str


def sweep(connection: sqlite3.Connection, scope: Scope, limit: int, seconds: float) -> int:
    """Check up to *limit* rows of *scope*, in any order, for *seconds* at most; return how many changed."""
    code = Code(scope)
    until = time.monotonic() + seconds
    found: list[tuple[Anchored, Verdict]] = []
    for row in _anchored(connection, scope, limit):
        verdict = state(code, row.symbol, row.file_path, row.anchor)
        if verdict.state != row.verdict:
            found.append((row, explained(code, verdict, row.symbol, row.file_path, row.anchor)))
        if time.monotonic() > until:
            break
    if found:
        with transaction(connection, SYSTEM, reason="the code was compared"):
            for row, verdict in found:
                store(connection, row, verdict)
    return len(found)


def _anchored(connection: sqlite3.Connection, scope: Scope, limit: int) -> list[Anchored]:
    rows = connection.execute(
        "SELECT id, type, review, symbol, file_path, anchor_hash, verdict FROM item "
        "WHERE project_id = ? AND retired_at IS NULL AND anchor_hash IS NOT NULL ORDER BY random() LIMIT ?",
        (scope.project_id, limit),
    )
    return [Anchored(*row) for row in rows]


def store(connection: sqlite3.Connection, row: Anchored, verdict: Verdict) -> None:
    """Write *verdict* on *row*, its evidence, and the review state that follows."""
    now = time.time()
    connection.execute(
        "UPDATE item SET verdict = ?, verdict_detail = ?, verified_at = ?, review = ? WHERE id = ?",
        (verdict.state, verdict.detail, now, _review(connection, row, verdict), row.id),
    )
    if verdict.state in _EVIDENCE:
        connection.execute(
            "INSERT INTO evidence (item_id, kind, detail, at) VALUES (?, ?, ?, ?)",
            (row.id, _EVIDENCE[verdict.state], verdict.detail, now),
        )


def _review(connection: sqlite3.Connection, row: Anchored, verdict: Verdict) -> str:
    if row.review == "disputed" or KINDS[row.type].rule:
        return row.review
    if verdict.state in (CHANGED, MISSING):
        return "quarantined"
    if verdict.state == FRESH and row.review == "quarantined":
        return before_quarantine(connection, row.id)
    return row.review


def before_quarantine(connection: sqlite3.Connection, number: int) -> str:
    """Return the state that a person gave a row, ``unreviewed`` when nobody did."""
    said = connection.execute(
        "SELECT kind FROM evidence WHERE item_id = ? AND kind IN ('user_confirm', 'user_dispute') ORDER BY id DESC LIMIT 1",
        (number,),
    ).fetchone()
    return {"user_confirm": "confirmed", "user_dispute": "disputed"}.get(said[0] if said else "", "unreviewed")
