"""UserPromptSubmit: what the user wants kept is kept, a repetition is a miss, and what the prompt is about is put beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.errors import TokenSaverError
from token_saver.events import HostEvent, Reply
from token_saver_memory import ledger
from token_saver_memory.hooks import phrases, quiet, render, rollup
from token_saver_memory.hooks.visit import Visit, arrive, switch, visit
from token_saver_memory.memory import open_memory
from token_saver_memory.ranking import features, shown
from token_saver_memory.ranking.serve import Ask, serve
from token_saver_memory.text.clean import clean
from token_saver_memory.values import PERSON, Draft

if TYPE_CHECKING:
    from token_saver_memory.values import Row

_SHOWN = 3
_FOUND = 10
_MOST_CHARACTERS = 320
"""Of one row."""
SWITCHES = {"memory off": True, "memory on": False}


@quiet.hook
def prompt(event: HostEvent) -> Reply | None:
    """Answer a prompt."""
    wanted = SWITCHES.get(event.prompt.strip().lower().lstrip("/"))
    if wanted is not None:
        return _switched(event, off=wanted)
    with visit(event) as here:
        text = clean(event.prompt) if here else ""
        if here is None or not text:
            return None
        rollup.begun(here.memory.connection, here, text)
        _keep(here, text)
        rows = here.memory.search(here.scope, text, _FOUND)
        if phrases.is_miss(text):
            _missed(here, rows)
        return _shown(here, text, here.trusted(rows))


def _switched(event: HostEvent, *, off: bool) -> Reply | None:
    with open_memory(timeout=quiet.PATIENCE) as memory:
        scope = memory.scope(event.cwd)
        if scope is None or not event.session:
            return None
        arrive(memory, scope, event)
        switch(memory, event.session, off=off)
    return Reply(context=render.block(f"The memory is {'off' if off else 'on'} for this session.", []))


def _keep(here: Visit, text: str) -> None:
    for wish in phrases.wishes(text):
        try:
            here.memory.save(
                Draft(here.scope, wish.type, wish.text), actor=PERSON, session=here.session, reason="said in a prompt"
            )
        except TokenSaverError:
            continue


def _missed(here: Visit, rows: list[Row]) -> None:
    """Note that the user had to repeat something, and whether it stood before the model in this session."""
    top = rows[0].id if rows else None
    was_shown = here.memory.connection.execute(
        "SELECT 1 FROM impression i JOIN list_event l USING (list_id) WHERE i.item_id = ? AND l.session_id = ?",
        (top, here.session),
    ).fetchone()
    outcome = None if top is None else "was_shown" if was_shown else "was_not_shown"
    with here.memory.writing("system", here.session, "miss") as connection:
        ledger.note(connection, "miss", here.session, project_id=here.scope.project_id, item_id=top, outcome=outcome)


def _shown(here: Visit, text: str, rows: list[Row]) -> Reply | None:
    known = here.on_screen(shown.PROMPT)
    fresh = [row for row in rows if row.id not in known]
    if not fresh:
        if not rows:
            with here.memory.writing("system", here.session, "prompt") as connection:
                ledger.note(connection, "silence", here.session, project_id=here.scope.project_id)
        return None
    whole = frozenset(row.id for row in fresh if len(render.whole(row)) <= _MOST_CHARACTERS)
    ask = Ask(shown.PROMPT, features.PROMPT, _SHOWN, here.session, text, whole=whole)
    served = serve(here.memory, here.scope, fresh, ask, lambda row: render.cost(render.whole(row, _MOST_CHARACTERS)), here.began)
    told = render.block(
        "From the memory (may be stale, check against the code):", [render.whole(row, _MOST_CHARACTERS) for row in served.rows]
    )
    with here.memory.writing("system", here.session, "prompt") as connection:
        ledger.note(
            connection,
            "injection",
            here.session,
            project_id=here.scope.project_id,
            list_id=served.list_id,
            tokens=render.cost(told),
        )
    return Reply(context=told)
