"""Every read that may reach a model: from the view ``visible_item`` alone, and of one scope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_memory.kinds import KINDS
from token_saver_memory.values import URI_PREFIX, Row, Scope

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

COLUMNS = (
    "id, uid, project_id, is_global, type, title, body, why, how, coalesce(symbol, ''), coalesce(file_path, ''), provenance, "
    "importance, review, recorded_at, seen_at, valid_from, expires_at, verdict, verdict_detail, verified_at"
)
PRIORITY = "CASE type " + " ".join(f"WHEN '{name}' THEN {kind.priority}" for name, kind in KINDS.items()) + " END"
_BY_WORTH = f"{PRIORITY} DESC, importance DESC, recorded_at DESC, id DESC"


def row_of(values: Sequence[Any], score: float = 0.0) -> Row:
    """Return the row that ``COLUMNS`` were read of."""
    return Row(*[*values[:3], bool(values[3]), *values[4:], score])


def visible(
    connection: sqlite3.Connection,
    scope: Scope | None,
    where: str = "1",
    values: Sequence[Any] = (),
    *,
    order: str = _BY_WORTH,
    limit: int = -1,
) -> list[Row]:
    """Return what may be shown in *scope* and meets *where*: rows of its project and global ones; only these without scope."""
    found = connection.execute(
        f"SELECT {COLUMNS} FROM visible_item WHERE (project_id = ? OR is_global = 1) AND ({where}) ORDER BY {order} LIMIT ?",
        (scope.project_id if scope else -1, *values, limit),
    )
    return [row_of(row) for row in found]


def index(
    connection: sqlite3.Connection, scope: Scope | None, limit: int, types: Sequence[str], *, global_too: bool
) -> list[Row]:
    """Return the rows of most worth first: kind by kind, and of each no more than are wanted."""
    found: list[Row] = []
    for kind in sorted(types or KINDS, key=lambda name: -KINDS[name].priority if name in KINDS else 0):
        if len(found) >= limit:
            break
        found += _of_kind(connection, scope, kind, limit - len(found), global_too=global_too)
    return found[:limit]


def _of_kind(connection: sqlite3.Connection, scope: Scope | None, kind: str, limit: int, *, global_too: bool) -> list[Row]:
    own = "SELECT * FROM (SELECT {} FROM visible_item WHERE project_id = ? AND type = ? AND ({}) ORDER BY {} LIMIT ?)"
    order = "importance DESC, recorded_at DESC, id DESC"
    parts = [own.format(COLUMNS, "1" if global_too else "is_global = 0", order)]
    values: list[object] = [scope.project_id if scope else -1, kind, limit]
    if global_too:
        parts.append(own.format(COLUMNS, "1", order).replace("project_id = ?", "is_global = 1 AND project_id <> ?"))
        values *= 2
    rows = connection.execute(f"{' UNION ALL '.join(parts)} ORDER BY {order} LIMIT ?", (*values, limit))
    return [row_of(row) for row in rows]


def get(connection: sqlite3.Connection, scope: Scope | None, ids: Iterable[object]) -> list[Row]:
    """Return the rows of *ids* that may be shown, in the order they were asked for."""
    numbers = [number for number in map(number_of, ids) if number is not None]
    found = {row.id: row for row in visible(connection, scope, f"id IN ({_marks(numbers)})", numbers)}
    return [found[number] for number in dict.fromkeys(numbers) if number in found]


def by_path(connection: sqlite3.Connection, scope: Scope | None, path: str, limit: int, types: Sequence[str]) -> list[Row]:
    """Return rows about exactly the file *path*, relative to the top."""
    terms, values = of_types(types)
    return visible(connection, scope, f"file_path = ? AND {terms}", (path, *values), limit=limit) if path else []


def by_symbol(connection: sqlite3.Connection, scope: Scope | None, name: str, limit: int, types: Sequence[str]) -> list[Row]:
    """Return rows about exactly the symbol *name*; ``parse`` also finds ``Reader.parse``."""
    terms, values = of_types(types)
    where = f"(symbol = ? OR substr(symbol, -length(?)) = ?) AND {terms}"
    return visible(connection, scope, where, (name, f".{name}", f".{name}", *values), limit=limit) if name else []


def of_types(types: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the condition for rows of *types* (any when empty) and its values."""
    return (f"type IN ({_marks(types)})", tuple(types)) if types else ("1", ())


def number_of(ref: object) -> int | None:
    """Return the id that *ref* names (12, "12", "#12", "memory://item/12"), or None."""
    if isinstance(ref, int) and not isinstance(ref, bool):
        return ref
    text = str(ref).strip().removeprefix(URI_PREFIX).removeprefix("#")
    return int(text) if text.isdecimal() and len(text) < 19 else None


def _marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))
