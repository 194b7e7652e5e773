"""What every hook works with: the open memory, the project of the session's folder, and the session itself."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.hooks import quiet
from token_saver_memory.memory import open_memory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.events import HostEvent
    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope

OFF = "off"
INJECTED = frozenset({"user", "agent"})
"""Where a row must come from to be put before a model unasked: what tools and files said never becomes an instruction."""


class Visit(NamedTuple):
    """One event in one project. ``began`` is the ``time.perf_counter`` at which it came."""

    memory: Memory
    scope: Scope
    event: HostEvent
    began: float

    @property
    def session(self) -> str:
        """The id of the session, "" where the host tells none."""
        return self.event.session

    def trusted(self, rows: list[Row]) -> list[Row]:
        """Return the rows that may be put before a model unasked."""
        return [row for row in rows if row.provenance in INJECTED]

    def on_screen(self, *channels: str) -> set[int]:
        """Return the rows that stand before the model in this session by one of *channels* and have not been closed yet."""
        found = self.memory.connection.execute(
            "SELECT i.item_id FROM impression i JOIN list_event l USING (list_id) WHERE l.session_id = ? AND i.outcome IS NULL"
            f" AND l.channel IN ({','.join('?' * len(channels))})",
            (self.session, *channels),
        )
        return {row[0] for row in found} if self.session else set()


@contextmanager
def visit(event: HostEvent) -> Iterator[Visit | None]:
    """Yield the visit; None where the folder is nobody's project or the memory is off for the session."""
    began = time.perf_counter()
    with open_memory(timeout=quiet.PATIENCE) as memory:
        quiet.stop_statements(memory.connection, quiet.budget())
        scope = memory.scope(event.cwd) if event.cwd else None
        if scope is None or is_off(memory, event.session):
            yield None
            return
        arrive(memory, scope, event)
        yield Visit(memory, scope, event, began)


def arrive(memory: Memory, scope: Scope, event: HostEvent) -> None:
    """Write down the session, once."""
    if not event.session:
        return
    known = memory.connection.execute("SELECT 1 FROM session WHERE id = ? AND ended_at IS NULL", (event.session,)).fetchone()
    if known is None:
        with memory.writing("system", event.session, "session") as connection:
            connection.execute(
                "INSERT INTO session (id, project_id, host, started_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET ended_at = NULL, end_kind = NULL",
                (event.session, scope.project_id, event.host, time.time()),
            )


def is_off(memory: Memory, session: str) -> bool:
    """Say whether the user switched the memory off for the session."""
    found = memory.connection.execute("SELECT 1 FROM session WHERE id = ? AND end_kind = ?", (session, OFF))
    return found.fetchone() is not None


def switch(memory: Memory, session: str, *, off: bool) -> None:
    """Switch the memory off or on for a session."""
    with memory.writing("user", session, "switch") as connection:
        connection.execute("UPDATE session SET end_kind = ? WHERE id = ?", (OFF if off else None, session))
