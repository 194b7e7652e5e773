"""What a person is shown of a row: all its values, retired ones too, and every change of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.reading import COLUMNS, row_of
from token_saver_memory.values import Change, Row, Scope

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

_RETIRED = "valid_to, retired_at, retired_why, superseded_by"


class Version(NamedTuple):
    """One value of a subject, with when it held (``row.valid_from`` to *valid_to*) and when and why it was retired."""

    row: Row
    valid_to: float | None
    retired_at: float | None
    retired_why: str | None
    superseded_by: int | None

    @property
    def current(self) -> bool:
        """Whether it is the value that holds now."""
        return self.retired_at is None


def versions(connection: sqlite3.Connection, where: str, values: Sequence[object], order: str = "id") -> list[Version]:
    """Return rows in any state that meet *where*."""
    found = connection.execute(f"SELECT {_RETIRED}, {COLUMNS} FROM item WHERE {where} ORDER BY {order}", values)
    return [Version(row_of(row[4:]), *row[:4]) for row in found]


def history(connection: sqlite3.Connection, number: int) -> tuple[list[Version], list[Change]]:
    """Return all values of the subject of row *number*, oldest first, and the changes of all of them."""
    chain = (
        "WITH RECURSIVE chain(id) AS (VALUES (?) UNION SELECT item.id FROM item, chain "
        "WHERE item.superseded_by = chain.id OR item.id = (SELECT superseded_by FROM item AS mine WHERE mine.id = chain.id))"
    )
    ids = [row[0] for row in connection.execute(f"{chain} SELECT id FROM chain ORDER BY id", (number,))]
    marks = ",".join("?" * len(ids))
    changes = connection.execute(
        "SELECT seq, item_id, op, actor, session_id, reason, before_json, after_json, at "
        f"FROM mutation WHERE item_id IN ({marks}) ORDER BY seq",
        ids,
    )
    return versions(connection, f"id IN ({marks})", ids), [Change(*row) for row in changes]


def believed(connection: sqlite3.Connection, scope: Scope | None, at: float, about: float) -> list[Row]:
    """Return what was held true at the time *at* about the time *about*.

    A value that gave way later was then still open-ended; one that had given way before *at* is still what is believed
    about the time before. What was forgotten before *at* is not believed.
    """
    where = (
        "(project_id = :project OR is_global = 1) AND recorded_at <= :at AND valid_from <= :about "
        "AND (retired_at IS NULL OR retired_at > :at OR retired_why = 'superseded') "
        "AND (valid_to IS NULL OR valid_to > :about OR (retired_at > :at AND retired_why = 'superseded'))"
    )
    values = {"project": scope.project_id if scope else -1, "at": at, "about": about}
    found = connection.execute(f"SELECT {COLUMNS} FROM item WHERE {where} ORDER BY id", values)
    return [row_of(row) for row in found]


def why_not(connection: sqlite3.Connection, number: int, scope: Scope | None) -> str:
    """Say why row *number* is not shown in *scope*; of another project's rows no more than that."""
    found = versions(connection, "id = ?", (number,))
    if not found:
        return f"there is no #{number}"
    version = found[0]
    row = version.row
    if not row.is_global and (scope is None or scope.project_id != row.project_id):
        return f"#{number} belongs to another project"
    if version.retired_why == "superseded":
        return f"#{number} was superseded by #{version.superseded_by}"
    if version.retired_why:
        return f"#{number} was {version.retired_why}"
    if row.review in ("quarantined", "disputed"):
        return f"#{number} is {row.review}" + (f": {row.verdict_detail}" if row.verdict_detail else "") + "; a person decides"
    return f"#{number} is past its lifetime"
