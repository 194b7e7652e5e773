"""SessionStart: what is known of the project, within a budget; at the next start only what changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from token_saver.events import HostEvent, Reply
from token_saver_memory import ledger
from token_saver_memory.hooks import quiet, render
from token_saver_memory.hooks.visit import Visit, visit
from token_saver_memory.ranking import features, shown
from token_saver_memory.ranking.serve import Ask, serve

if TYPE_CHECKING:
    from token_saver_memory.values import Row

BUDGET = 560
"""Tokens of the rows; heading and tags are on top, and all together stays below 600."""
_POOL, _MOST = 120, 40
_LOST_CONTEXT = ("clear", "compact")


@quiet.hook
def session_start(event: HostEvent) -> Reply | None:
    """Show the index of the project, or how it differs from the last one that was shown for it."""
    with visit(event) as here:
        if here is None:
            return None
        pool = here.trusted(here.memory.index(here.scope, _POOL))
        lost = event.payload.get("source") in _LOST_CONTEXT
        before = None if lost else _before(here)
        if before is not None:
            return _changes(here, pool, before)
        return _index(here, pool) if pool else None


class _Before(NamedTuple):
    """The rows that were told of at this project's last full index and since, and when that was last."""

    rows: set[int]
    at: float


def _before(here: Visit) -> _Before | None:
    connection, project = here.memory.connection, here.scope.project_id
    found = connection.execute(
        "SELECT i.item_id, l.shown_at FROM list_event l LEFT JOIN impression i USING (list_id)"
        " WHERE l.project_id = ? AND l.channel IN (?, ?)"
        " AND l.list_id >= (SELECT max(list_id) FROM list_event WHERE project_id = ? AND channel = ?)",
        (project, shown.START, shown.START_CHANGES, project, shown.START),
    ).fetchall()
    return _Before({row[0] for row in found if row[0] is not None}, max(row[1] for row in found)) if found else None


def _index(here: Visit, pool: list[Row]) -> Reply:
    served = serve(
        here.memory, here.scope, pool, _ask(here, shown.START), lambda row: render.cost(render.heading(row)), here.began
    )
    return _said(here, served.list_id, f"{_title(here)}: {_count(here)} entries", [render.heading(row) for row in served.rows])


def _changes(here: Visit, pool: list[Row], before: _Before) -> Reply:
    new = [row for row in pool if row.id not in before.rows and row.recorded_at > before.at]
    gone = _gone(here, before)
    if not new and not gone:
        return _said(here, None, f"{_title(here)}: {_count(here)} entries, unchanged", [])
    served = serve(
        here.memory, here.scope, new, _ask(here, shown.START_CHANGES), lambda row: render.cost(render.heading(row)), here.began
    )
    lines = [f"+ {render.heading(row)}" for row in served.rows]
    lines += [f"- no longer: {', '.join(f'#{number}' for number in gone[:20])}"] if gone else []
    return _said(here, served.list_id, f"{_title(here)}: changes since the last start", lines)


def _gone(here: Visit, before: _Before) -> list[int]:
    """Return the rows that were told of and may no longer be shown, by a change since."""
    visible = {row.id for row in here.memory.get(before.rows, here.scope)}
    missing = before.rows - visible
    marks = ",".join("?" * len(missing))
    changed = here.memory.connection.execute(
        f"SELECT DISTINCT item_id FROM mutation WHERE at > ? AND item_id IN ({marks})", (before.at, *missing)
    )
    return sorted(row[0] for row in changed)


def _ask(here: Visit, channel: str) -> Ask:
    return Ask(channel, features.LISTING, _MOST, here.session, budget=BUDGET)


def _title(here: Visit) -> str:
    return f"Memory of {here.scope.label[:30]}"


def _count(here: Visit) -> int:
    found = here.memory.connection.execute(
        "SELECT count(*) FROM visible_item WHERE project_id = ? OR is_global = 1", (here.scope.project_id,)
    )
    return int(found.fetchone()[0])


def _said(here: Visit, list_id: int | None, title: str, lines: list[str]) -> Reply:
    text = render.block(title + (" (may be stale; memory_get ID reads one)" if lines else ""), lines)
    with here.memory.writing("system", here.session, "start") as connection:
        ledger.note(
            connection, "injection", here.session, project_id=here.scope.project_id, list_id=list_id, tokens=render.cost(text)
        )
    return Reply(context=text)
