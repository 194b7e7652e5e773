"""The memory as its users see it: commands, hooks, tools and the review page all come through here."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from token_saver.errors import InputError, StoreError
from token_saver_memory import ledger, reading, records, reviewing, saving, schema, searching
from token_saver_memory import scope as scopes
from token_saver_memory.freshness import sweep as sweeping
from token_saver_memory.freshness import verdict as verdicts
from token_saver_memory.ranking import shown
from token_saver_memory.values import PERSON, SYSTEM, Scope, Verdict
from token_saver_memory.writing import transaction

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from contextlib import AbstractContextManager
    from types import TracebackType

    from token_saver_memory.values import Change, Draft, Row, Saved

EVERYWHERE = "everywhere"
UNREGISTERED = 0
"""The number of a project that could not be registered: nothing is remembered of it, and nothing is shown but global rows."""


def open_memory(path: str | None = None, *, timeout: float = 5.0, read_only: bool = False) -> Memory:
    """Open the memory at *path* (default: in the user's data folder), and make it when there is none.

    *timeout* is how many seconds a writer waits for another. Raises StoreError when the file cannot be used.
    """
    place = path or schema.default_path()
    return Memory(schema.connect(place, timeout=timeout, read_only=read_only), place)


class Memory:
    """One open memory. Reads are of one scope; every write is one short transaction. Close it, or use it in ``with``."""

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self.connection = connection
        self.path = path
        self.notice = ""

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def writing(self, actor: str, session: str = "", reason: str = "") -> AbstractContextManager[sqlite3.Connection]:
        """Return one transaction for *actor* (see ``writing.transaction``)."""
        return transaction(self.connection, actor, session, reason)

    def scope(self, cwd: str) -> Scope | None:
        """Return the project of the folder *cwd*, registered when it is new; None when it is nobody's.

        A folder that is gone belongs to the project whose checkout it was in.
        """
        place = scopes.resolve(cwd)
        if place is None:
            return None if not cwd or os.path.isdir(cwd) else self._of_removed(os.path.abspath(cwd))
        known = self.connection.execute(
            "SELECT project.id FROM project JOIN checkout ON checkout.project_id = project.id WHERE identity = ? AND path = ?",
            (place.identity, place.top),
        ).fetchone()
        return Scope(known[0] if known else self._registered(place), *place)

    def everywhere(self) -> Scope:
        """Return the scope of global rows that no project owns."""
        place = scopes.Place(EVERYWHERE, EVERYWHERE, EVERYWHERE, "")
        known = self.connection.execute("SELECT id FROM project WHERE identity = ?", (EVERYWHERE,)).fetchone()
        return Scope(known[0] if known else self._register(place), *place)

    def _registered(self, place: scopes.Place) -> int:
        """Register *place*; where nothing can be written, its number as far as it is known, else ``UNREGISTERED``."""
        try:
            return self._register(place)
        except StoreError:
            known = self.connection.execute("SELECT id FROM project WHERE identity = ?", (place.identity,)).fetchone()
            return known[0] if known else UNREGISTERED

    def _register(self, place: scopes.Place) -> int:
        now = time.time()
        with transaction(self.connection, SYSTEM) as connection:
            connection.execute(
                "INSERT INTO project (identity, kind, label, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (place.identity, place.kind, place.label, now),
            )
            number: int = connection.execute("SELECT id FROM project WHERE identity = ?", (place.identity,)).fetchone()[0]
            if place.top:
                connection.execute(
                    "INSERT INTO checkout (path, project_id, last_seen) VALUES (?, ?, ?) "
                    "ON CONFLICT (path) DO UPDATE SET project_id = excluded.project_id, last_seen = excluded.last_seen",
                    (place.top, number, now),
                )
        return number

    def _of_removed(self, folder: str) -> Scope | None:
        found = self.connection.execute(
            "SELECT project.id, identity, kind, label, path FROM project JOIN checkout ON checkout.project_id = project.id "
            "WHERE path = ? OR substr(?, 1, length(path) + 1) = path || '/' ORDER BY length(path) DESC LIMIT 1",
            (folder, folder),
        ).fetchone()
        return Scope(*found) if found else None

    def save(self, draft: Draft, *, actor: str, session: str = "", reason: str = "") -> Saved:
        """Keep *draft* for *actor* (``user``, ``agent``, ``tool``, ``import``) and return what became of it.

        Raises InputError when it cannot be kept (no scope and not global, nothing to say, an unknown kind) and StoreError
        when the memory cannot be written.
        """
        scope = draft.scope
        if scope is None:
            if not draft.is_global:
                raise InputError("this folder is no project; save with --global what is to be known everywhere")
            scope = self.everywhere()
        if scope.project_id == UNREGISTERED:
            scope = scope._replace(project_id=self._register(scopes.Place(*scope[1:])))
        return saving.save(self.connection, draft, scope, actor, session, reason)

    def search(self, scope: Scope | None, text: str, limit: int = 10, *, types: Sequence[str] = ()) -> list[Row]:
        """Return the rows of *scope* that answer *text*, best first; any text is data."""
        return searching.search(self.connection, scope, text, limit, types)

    def find(self, scope: Scope | None, text: str, limit: int = 10, *, types: Sequence[str] = ()) -> list[Row]:
        """Return what ``search`` does and, where the user switched an embedder on, what answers *text* by its meaning.

        When the embedder cannot be had, words alone are searched and ``notice`` says why. Rows that have no vector yet get
        one, so hooks do not call this.
        """
        from token_saver_memory.vectors.embedders import chosen

        try:
            embedder = chosen()
        except InputError as error:
            self.notice = f"{error}; searched by words alone"
            embedder = None
        if embedder is None:
            return self.search(scope, text, limit, types=types)
        from token_saver_memory.vectors import fusion

        return fusion.search(self.connection, scope, text, limit, types, embedder)

    def index(self, scope: Scope | None, limit: int = 30, *, types: Sequence[str] = (), global_too: bool = True) -> list[Row]:
        """Return the rows of *scope* of most worth: by priority of kind, importance and age."""
        return reading.index(self.connection, scope, limit, types, global_too=global_too)

    def get(self, ids: Iterable[object], scope: Scope | None) -> list[Row]:
        """Return the visible rows of *ids* (12, "12", "#12", a citation) in that order."""
        return reading.get(self.connection, scope, ids)

    def why_not(self, number: int, scope: Scope | None) -> str:
        """Say why ``get`` did not return row *number*."""
        return records.why_not(self.connection, number, scope)

    def by_path(self, scope: Scope | None, path: str, limit: int = 5, *, types: Sequence[str] = ()) -> list[Row]:
        """Return rows about exactly the file *path*, absolute or relative to the top of the checkout."""
        known = scopes.relative(path, scope.top) if scope else ""
        return reading.by_path(self.connection, scope, known, limit, types)

    def by_symbol(self, scope: Scope | None, name: str, limit: int = 5, *, types: Sequence[str] = ()) -> list[Row]:
        """Return rows about exactly the symbol *name*."""
        return reading.by_symbol(self.connection, scope, name, limit, types)

    def search_rollups(self, scope: Scope | None, text: str, limit: int = 5) -> list[tuple[str, str, float]]:
        """Return summaries of sessions of *scope* that answer *text*: session, text and time."""
        return searching.rollups(self.connection, scope, text, limit)

    def forget(self, number: int, *, actor: str, session: str = "", reason: str = "") -> None:
        """Retire a row; its text is refused from now on until it is restored."""
        reviewing.forget(self.connection, number, actor, session, reason)
        self.judge([number], "wrong", session)

    def restore(self, number: int, *, actor: str, session: str = "", reason: str = "") -> None:
        """Take back a forgotten or expired row."""
        reviewing.restore(self.connection, number, actor, session, reason)

    def confirm(self, number: int, scope: Scope | None, *, session: str = "", reason: str = "") -> None:
        """A person says that a row holds, about the code as it is in *scope* now."""
        reviewing.confirm(self.connection, number, scope, session, reason)
        self.judge([number], "useful", session)

    def dispute(self, number: int, *, session: str = "", reason: str = "") -> None:
        """A person says that a row is wrong."""
        reviewing.dispute(self.connection, number, session, reason)
        self.judge([number], "wrong", session)

    def judge(self, numbers: Iterable[int], outcome: str, session: str = "") -> None:
        """Tell the ranker what became of rows that were shown: ``fetched``, ``useful`` or ``wrong``."""
        with self.writing(SYSTEM, session, outcome) as connection:
            shown.sweep(connection)
            shown.close(connection, numbers, outcome, session=session)
            ledger.settle_injections(connection)

    def set_global(self, number: int, flag: bool, *, actor: str = PERSON, session: str = "", reason: str = "") -> None:
        """Show a row in every project, or no longer."""
        reviewing.set_global(self.connection, number, flag, actor, session, reason)

    def expire(self) -> int:
        """Retire what is past its lifetime; return how many."""
        return reviewing.expire(self.connection, SYSTEM)

    def history(self, number: int) -> tuple[list[records.Version], list[Change]]:
        """Return all values of the subject of a row and the changes of them."""
        return records.history(self.connection, number)

    def believed(self, scope: Scope | None, at: float, about: float) -> list[Row]:
        """Return what was held true at *at* about *about* (seconds since 1970)."""
        return records.believed(self.connection, scope, at, about)

    def check(self, row: Row, scope: Scope | None) -> Verdict:
        """Return what the code says of *row* now; ``unknown`` when it cannot be told."""
        if scope is None or row.project_id != scope.project_id:
            return Verdict("unknown", "of another project")
        anchor = self.connection.execute("SELECT anchor_hash FROM item WHERE id = ?", (row.id,)).fetchone()
        code = verdicts.Code(scope)
        found = verdicts.state(code, row.symbol, row.file_path, anchor[0] or "")
        return verdicts.explained(code, found, row.symbol, row.file_path, anchor[0] or "")

    def sweep(self, scope: Scope, limit: int = 200, *, seconds: float = 5.0) -> int:
        """Store what the code says of the rows of *scope*; return how many verdicts changed."""
        return sweeping.sweep(self.connection, scope, limit, seconds)
