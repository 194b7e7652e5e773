"""PreToolUse of an editor: what was ruled out for the file and what must not be done there.

What is shown here is shown whole, for the edit goes on at once.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from token_saver.events import HostEvent, Reply
from token_saver_memory import ledger
from token_saver_memory import scope as scopes
from token_saver_memory.hooks import quiet, render
from token_saver_memory.hooks.visit import Visit, visit
from token_saver_memory.ranking import features, shown
from token_saver_memory.ranking.serve import Ask, serve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from token_saver_memory.values import Row

_PATHS = ("file_path", "notebook_path", "path")
_TYPES = ("guardrail", "ruled_out", "warning", "convention", "decision", "error_pattern", "bugfix")
_MOST_ROWS, _BUDGET, _MOST_CHARACTERS = 5, 360, 600
_DEFINED = re.compile(
    r"\b(?:def|class|func|function|fn|interface|struct|type|const|module)\s+(?:\([^)\n]*\)\s*)?([A-Za-z_$][\w$]*)"
)
_MOST_TEXT, _MOST_SYMBOLS = 20_000, 8


@quiet.hook
def before_edit(event: HostEvent) -> Reply | None:
    """Answer an editor that is about to run."""
    with visit(event) as here:
        return _warned(here) if here is not None else None


def _warned(here: Visit) -> Reply | None:
    file = edited_file(here.event.tool_input, here.event.cwd, here.scope.top)
    if not file:
        return None
    symbols = touched_symbols(here.event.tool_input)
    known = here.on_screen(shown.EDIT)
    rows = [row for row in here.trusted(_about(here, file, symbols)) if row.id not in known]
    if not rows:
        return None
    ask = Ask(shown.EDIT, features.EDIT, _MOST_ROWS, here.session, file, file, symbols, _BUDGET)
    served = serve(here.memory, here.scope, rows, ask, lambda row: render.cost(render.whole(row, _MOST_CHARACTERS)), here.began)
    if not served.rows:
        return None
    text = render.block(f"Remembered of {file} (may be stale):", [render.whole(row, _MOST_CHARACTERS) for row in served.rows])
    with here.memory.writing("system", here.session, "edit") as connection:
        ledger.note(
            connection,
            "injection",
            here.session,
            project_id=here.scope.project_id,
            list_id=served.list_id,
            tokens=render.cost(text),
        )
    return Reply(context=text)


def _about(here: Visit, file: str, symbols: tuple[str, ...]) -> list[Row]:
    found = here.memory.by_path(here.scope, file, 4 * _MOST_ROWS, types=_TYPES)
    for symbol in symbols:
        found += [row for row in here.memory.by_symbol(here.scope, symbol, types=_TYPES) if row.file_path in ("", file)]
    return list({row.id: row for row in found}.values())


def edited_file(arguments: Mapping[str, Any], cwd: str, top: str) -> str:
    """Return the file that a tool is to edit, relative to the top; "" where it is none of the project."""
    path = next((arguments[name] for name in _PATHS if isinstance(arguments.get(name), str)), "")
    return scopes.relative(os.path.join(cwd, path), top) if path else ""


def touched_symbols(arguments: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names that the edited text defines."""
    edits = arguments.get("edits")
    texts = [arguments.get("old_string"), arguments.get("new_string")]
    texts += [each.get("old_string") for each in edits if isinstance(each, dict)] if isinstance(edits, list) else []
    text = "\n".join(each[:_MOST_TEXT] for each in texts if isinstance(each, str))
    return tuple(dict.fromkeys(_DEFINED.findall(text)))[:_MOST_SYMBOLS]
