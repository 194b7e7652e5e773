"""PreCompact, Stop and SessionEnd: what was open is closed and learnt from; what a session was about is written down."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from token_saver_memory import ledger
from token_saver_memory.hooks import quiet, rollup
from token_saver_memory.hooks.visit import visit
from token_saver_memory.ranking import shown

if TYPE_CHECKING:
    from token_saver.events import HostEvent, Reply

_CHECKED, _CHECK_SECONDS = 25, 0.05
"""Rows whose code is looked at when a session ends, and the seconds for it."""


@quiet.hook
def before_compact(event: HostEvent) -> Reply | None:
    """Close what the model is about to lose sight of, so that it may be shown again."""
    with visit(event) as here:
        if here is not None and here.session:
            with here.memory.writing("system", here.session, "compact") as connection:
                shown.sweep(connection, session=here.session)
                ledger.settle_injections(connection)
    return None


@quiet.hook
def stop(event: HostEvent) -> Reply | None:
    """Close what is overdue."""
    with visit(event) as here:
        if here is not None:
            with here.memory.writing("system", here.session, "stop") as connection:
                shown.sweep(connection)
                ledger.settle_injections(connection)
    return None


@quiet.hook
def session_end(event: HostEvent) -> Reply | None:
    """Close everything of the session and complete its rollup; then look at the code, as far as the time reaches."""
    with visit(event) as here:
        if here is None:
            return None
        with here.memory.writing("system", here.session, "session end") as connection:
            shown.sweep(connection, session=here.session)
            ledger.settle_injections(connection)
            ledger.end_session(connection, here.session)
            rollup.ended(here)
            connection.execute(
                "UPDATE session SET ended_at = ?, end_kind = ? WHERE id = ?",
                (time.time(), str(event.payload.get("reason", "end")), here.session),
            )
            ledger.prune(connection)
        here.memory.expire()
        here.memory.sweep(here.scope, _CHECKED, seconds=_CHECK_SECONDS)
    return None
