"""Named changes of one row by a person, an agent or a tool; each is one transaction and one row of the log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError
from token_saver_memory.decide import RULES
from token_saver_memory.freshness.anchor import anchor_of
from token_saver_memory.kinds import DAY, KINDS
from token_saver_memory.text.clean import clean
from token_saver_memory.text.signature import signature
from token_saver_memory.values import PERSON, Scope
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    import sqlite3


class Target(NamedTuple):
    """The row that is to be changed."""

    id: int
    project_id: int
    is_global: int
    type: str
    title: str
    body: str
    symbol: str | None
    file_path: str | None
    provenance: str
    review: str
    retired_why: str | None
    subject_key: str | None


def target(connection: sqlite3.Connection, number: int) -> Target:
    """Return the row *number*, whatever its state; raises InputError when there is none."""
    row = connection.execute(f"SELECT {', '.join(Target._fields)} FROM item WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise InputError(f"there is no #{number} in the memory")
    return Target(*row)


def forget(connection: sqlite3.Connection, number: int, actor: str, session: str, reason: str) -> None:
    """Retire row *number* and lay a tombstone, so that its text does not come back; raises InputError when it is retired."""
    with transaction(connection, actor, session, reason):
        row = target(connection, number)
        if row.retired_why:
            raise InputError(f"#{number} is not current: it was {row.retired_why} before")
        if actor != PERSON and row.type in RULES and (row.provenance == PERSON or row.review == "confirmed"):
            raise InputError(f"#{number} is a person's rule; only a person can have it forgotten")
        now = time.time()
        connection.execute(
            "UPDATE item SET retired_at = ?, retired_why = 'forgotten', valid_to = coalesce(valid_to, max(valid_from, ?)) "
            "WHERE id = ?",
            (now, now, number),
        )
        lay_tombstone(connection, row, clean(reason))


def lay_tombstone(connection: sqlite3.Connection, row: Target, reason: str) -> None:
    """Remember by hashes that the text of *row* was forgotten; a global row's everywhere."""
    mark = signature(row.title, row.body)
    connection.execute(
        "INSERT INTO tombstone (project_id, type, text_hash, values_hash, negated, words, item_id, reason, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            None if row.is_global else row.project_id,
            row.type,
            mark.text_hash,
            mark.values_hash,
            int(mark.negated),
            mark.packed,
            row.id,
            reason,
            time.time(),
        ),
    )


def restore(connection: sqlite3.Connection, number: int, actor: str, session: str, reason: str) -> None:
    """Take row *number* back and lift its tombstones; raises InputError when it is current, superseded or purged."""
    with transaction(connection, actor, session, reason):
        row = target(connection, number)
        if row.retired_why not in ("forgotten", "expired"):
            raise InputError(f"#{number} was not forgotten" + (f" but {row.retired_why}" if row.retired_why else ""))
        if purged(connection, number):
            raise InputError(f"#{number} was purged; its text is gone")
        holder = connection.execute(
            "SELECT id FROM item WHERE project_id = ? AND type = ? AND subject_key = ? AND retired_at IS NULL",
            (row.project_id, row.type, row.subject_key),
        ).fetchone()
        if holder:
            raise InputError(f"#{holder[0]} is the current value of the subject of #{number}; forget it first")
        days = KINDS[row.type].days
        connection.execute(
            "UPDATE item SET retired_at = NULL, retired_why = NULL, valid_to = NULL, expires_at = ? WHERE id = ?",
            (time.time() + days * DAY if days else None, number),
        )
        connection.execute("UPDATE tombstone SET revoked_at = ? WHERE item_id = ? AND revoked_at IS NULL", (time.time(), number))


def purged(connection: sqlite3.Connection, number: int) -> bool:
    """Tell whether the text of row *number* was erased."""
    return connection.execute("SELECT 1 FROM mutation WHERE item_id = ? AND op = 'purge'", (number,)).fetchone() is not None


def confirm(connection: sqlite3.Connection, number: int, scope: Scope | None, session: str, reason: str) -> None:
    """A person says that row *number* holds: it is visible again and anchored to the code as it is now."""
    row = _live(connection, number)
    anchored = scope is not None and scope.project_id == row.project_id
    anchor = anchor_of(scope, row.symbol or "", row.file_path or "") if scope is not None and anchored else None
    with transaction(connection, PERSON, session, reason):
        now = time.time()
        changed: dict[str, object] = {"review": "confirmed", "seen_at": now}
        if anchor is not None:
            changed |= {"anchor_hash": anchor.hash or None, "anchor_commit": anchor.commit or None, "verdict_detail": ""}
            changed |= {"verdict": "fresh" if anchor.hash else "unknown", "verified_at": now if anchor.hash else None}
        connection.execute(
            f"UPDATE item SET {', '.join(f'{name} = ?' for name in changed)} WHERE id = ?", (*changed.values(), number)
        )
        _evidence(connection, number, "user_confirm", reason, now)


def dispute(connection: sqlite3.Connection, number: int, session: str, reason: str) -> None:
    """A person says that row *number* is wrong: it is hidden until a person confirms it."""
    _live(connection, number)
    with transaction(connection, PERSON, session, reason):
        connection.execute("UPDATE item SET review = 'disputed' WHERE id = ?", (number,))
        _evidence(connection, number, "user_dispute", reason, time.time())


def merge(connection: sqlite3.Connection, old: int, new: int, actor: str, session: str, reason: str) -> None:
    """Let row *old* give way to row *new*, unless it is retired already."""
    with transaction(connection, actor, session, reason):
        now = time.time()
        changed = connection.execute(
            "UPDATE item SET retired_at = ?, retired_why = 'merged', superseded_by = ?, valid_to = max(valid_from, ?)"
            " WHERE id = ? AND retired_at IS NULL",
            (now, new, now, old),
        )
        if changed.rowcount:
            connection.execute("INSERT OR IGNORE INTO link (src, dst, kind, auto) VALUES (?, ?, 'merged', 0)", (new, old))


def set_global(connection: sqlite3.Connection, number: int, flag: bool, actor: str, session: str, reason: str) -> None:
    """Show row *number* in every project, or in its own only; raises InputError when it is so already."""
    row = _live(connection, number)
    if bool(row.is_global) == flag:
        raise InputError(f"#{number} is {'global' if flag else 'of its project only'} already")
    if not flag and connection.execute("SELECT kind FROM project WHERE id = ?", (row.project_id,)).fetchone()[0] == "everywhere":
        raise InputError(f"#{number} belongs to no project; it can only be global")
    with transaction(connection, actor, session, reason):
        connection.execute("UPDATE item SET is_global = ? WHERE id = ?", (int(flag), number))


def expire(connection: sqlite3.Connection, actor: str) -> int:
    """Retire what is past its lifetime; return how many rows."""
    now = time.time()
    due = "retired_at IS NULL AND expires_at <= ?"
    if not connection.execute(f"SELECT 1 FROM item WHERE {due}", (now,)).fetchone():
        return 0
    with transaction(connection, actor, reason="past its lifetime"):
        return connection.execute(f"UPDATE item SET retired_at = ?, retired_why = 'expired' WHERE {due}", (now, now)).rowcount


def _live(connection: sqlite3.Connection, number: int) -> Target:
    row = target(connection, number)
    if row.retired_why:
        raise InputError(f"#{number} is not current: it was {row.retired_why}")
    return row


def _evidence(connection: sqlite3.Connection, number: int, kind: str, detail: str, now: float) -> None:
    connection.execute("INSERT INTO evidence (item_id, kind, detail, at) VALUES (?, ?, ?, ?)", (number, kind, clean(detail), now))
