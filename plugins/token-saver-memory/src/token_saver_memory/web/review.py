"""What the review page does: list, confirm, dispute, edit, forget, each through the memory's own named changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.errors import InputError
from token_saver_memory import reviewing
from token_saver_memory.memory import open_memory
from token_saver_memory.records import versions
from token_saver_memory.values import PERSON, Draft
from token_saver_memory.web.page import View, page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope

SESSION = "review page"
_MOST = 200


class Review:
    """The page of the project that the folder *cwd* belongs to, in the memory at *path*."""

    def __init__(self, cwd: str, path: str | None = None) -> None:
        self._cwd = cwd
        self._path = path

    def shown(self, query: str, said: str, token: str) -> str:
        """Return the page."""
        with open_memory(self._path) as memory:
            scope = self._scope(memory)
            rows = memory.search(scope, query, _MOST) if query else memory.index(scope, _MOST)
            waiting = [] if query else _waiting(memory, scope)
            return page(View(scope.label, rows, waiting, query, said, token))

    def changed(self, action: str, fields: Mapping[str, str]) -> str:
        """Carry out a change and return what to say about it; raises InputError when it cannot be done."""
        number = int(fields["id"]) if fields.get("id", "").isdecimal() else 0
        with open_memory(self._path) as memory:
            scope = self._scope(memory)
            row = _row(memory, scope, number)
            if action == "confirm":
                memory.confirm(number, scope, session=SESSION)
                return f"#{number} is confirmed."
            if action == "dispute":
                memory.dispute(number, session=SESSION)
                return f"#{number} is disputed: it is hidden until someone confirms it."
            if action == "forget":
                memory.forget(number, actor=PERSON, session=SESSION)
                return f"#{number} is forgotten. `token-saver memory restore {number}` takes that back."
            if action == "edit":
                return _edited(memory, scope, row, fields)
        raise InputError(f"there is nothing called {action}")

    def _scope(self, memory: Memory) -> Scope:
        scope = memory.scope(self._cwd)
        if scope is None:
            raise InputError("this folder is no project; start the review page in one")
        return scope


def _waiting(memory: Memory, scope: Scope, number: int | None = None) -> list[Row]:
    """Return the rows that are hidden until someone decides."""
    where = "retired_at IS NULL AND review IN ('disputed', 'quarantined') AND (project_id = ? OR is_global = 1) AND ? IN (id, -1)"
    return [each.row for each in versions(memory.connection, where, (scope.project_id, -1 if number is None else number))]


def _row(memory: Memory, scope: Scope, number: int) -> Row:
    found = memory.get([number], scope) or _waiting(memory, scope, number)
    if not found:
        raise InputError(f"#{number}: {memory.why_not(number, scope)}")
    return found[0]


def _edited(memory: Memory, scope: Scope, row: Row, fields: Mapping[str, str]) -> str:
    """Save another value of the same subject; the old one stays in the history."""
    key = reviewing.target(memory.connection, row.id).subject_key or ""
    draft = Draft(
        scope,
        row.type,
        fields.get("title", "").strip(),
        fields.get("body", "").replace("\r\n", "\n").strip(),
        row.why,
        row.how,
        subject=key.removeprefix("named: ") if key.startswith("named: ") else "",
        symbol=row.symbol,
        file_path=row.file_path,
        importance=row.importance,
        is_global=row.is_global,
    )
    saved = memory.save(draft, actor=PERSON, session=SESSION, reason="edited on the review page")
    if not saved.accepted:
        raise InputError(saved.message)
    if saved.item_id != row.id:
        reviewing.merge(memory.connection, row.id, saved.item_id, PERSON, SESSION, "edited on the review page")
    return f"#{saved.item_id} {saved.decision}."
