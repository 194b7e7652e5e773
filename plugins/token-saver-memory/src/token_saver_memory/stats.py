"""What is in the memory, counted; what nothing was recorded for is None and is printed as no data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

    from token_saver_memory.values import Scope

_STATES = ("retired_why", "review", "verdict", "provenance", "type")


def stats(connection: sqlite3.Connection, scope: Scope | None) -> dict[str, Any]:
    """Return counts for *scope*, or for all projects when None: rows by kind and state, lists, outcomes, changes."""
    where, values = ("1", ()) if scope is None else ("project_id = ?", (scope.project_id,))
    found: dict[str, Any] = {
        "current": _one(connection, f"SELECT count(*) FROM item WHERE retired_at IS NULL AND {where}", values),
        "shown": _one(connection, f"SELECT count(*) FROM visible_item WHERE {where}", values),
        "retired": _by(connection, "retired_why", f"{where} AND retired_at IS NOT NULL", values),
    }
    for column in _STATES[1:]:
        found[column] = _by(connection, column, f"{where} AND retired_at IS NULL", values)
    found["tombstones"] = _one(connection, f"SELECT count(*) FROM tombstone WHERE revoked_at IS NULL AND {where}", values)
    found["lists"] = _one(connection, f"SELECT count(*) FROM list_event WHERE {where}", values) or None
    outcomes = connection.execute(
        "SELECT coalesce(outcome, 'open'), count(*) FROM impression "
        f"WHERE list_id IN (SELECT list_id FROM list_event WHERE {where}) GROUP BY 1 ORDER BY 1",
        values,
    ).fetchall()
    found["outcomes"] = dict(outcomes) or None
    found["changes"] = _one(
        connection, f"SELECT count(*) FROM mutation WHERE item_id IN (SELECT id FROM item WHERE {where})", values
    )
    if scope is None:
        found["projects"] = dict(
            connection.execute(
                "SELECT identity, count(item.id) FROM project "
                "LEFT JOIN item ON item.project_id = project.id AND retired_at IS NULL "
                "GROUP BY project.id ORDER BY 2 DESC, 1"
            ).fetchall()
        )
    return found


def _one(connection: sqlite3.Connection, statement: str, values: tuple[int, ...]) -> int:
    count: int = connection.execute(statement, values).fetchone()[0]
    return count


def _by(connection: sqlite3.Connection, column: str, where: str, values: tuple[int, ...]) -> dict[str, int] | None:
    found = connection.execute(f"SELECT {column}, count(*) FROM item WHERE {where} GROUP BY 1 ORDER BY 2 DESC, 1", values)
    return dict(found.fetchall()) or None
