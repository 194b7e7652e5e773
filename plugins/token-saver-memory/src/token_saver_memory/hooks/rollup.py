"""What a session was about, from what happened in it alone: nothing is made up, and nobody is asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from token_saver_memory.text.clean import clean

if TYPE_CHECKING:
    import sqlite3

    from token_saver_memory.hooks.visit import Visit

_MOST = 400
"""Characters of one field."""
FIELDS = ("request", "investigated", "learned", "completed", "next_steps", "notes")


def begun(connection: sqlite3.Connection, here: Visit, text: str) -> None:
    """Start the rollup of a session with its first prompt."""
    if not here.session or connection.execute("SELECT 1 FROM rollup WHERE session_id = ?", (here.session,)).fetchone():
        return
    with here.memory.writing("system", here.session, "rollup"):
        connection.execute(
            "INSERT INTO rollup (session_id, project_id, request, at) VALUES (?, ?, ?, ?)",
            (here.session, here.scope.project_id, text[:_MOST], time.time()),
        )


def add(here: Visit, field: str, text: str) -> None:
    """Append a line to a field, once, while there is room."""
    assert field in FIELDS
    line = " ".join(clean(text).split())
    found = here.memory.connection.execute(f"SELECT {field} FROM rollup WHERE session_id = ?", (here.session,)).fetchone()
    if not line or found is None or line in found[0].split("\n") or len(found[0]) + len(line) > _MOST:
        return
    put(here, field, f"{found[0]}\n{line}".strip())


def put(here: Visit, field: str, text: str) -> None:
    """Set a field of the session's rollup."""
    assert field in FIELDS
    with here.memory.writing("system", here.session, "rollup") as connection:
        connection.execute(
            f"UPDATE rollup SET {field} = ?, at = ? WHERE session_id = ?", (text[:_MOST], time.time(), here.session)
        )


def ended(here: Visit) -> None:
    """Complete the rollup with what was saved in the session and how much of what was shown was fetched."""
    connection = here.memory.connection
    titles = connection.execute(
        "SELECT title FROM visible_item WHERE id IN (SELECT item_id FROM mutation WHERE session_id = ? AND op = 'create')"
        " ORDER BY id",
        (here.session,),
    )
    put(here, "learned", "\n".join(row[0] for row in titles))
    shown, fetched = connection.execute(
        "SELECT count(*), coalesce(sum(outcome = 'fetched'), 0) FROM impression JOIN list_event l USING (list_id)"
        " WHERE l.session_id = ?",
        (here.session,),
    ).fetchone()
    put(here, "notes", f"{shown} entries shown, {fetched} fetched" if shown else "")
