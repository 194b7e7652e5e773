"""The bounds of a hook: so much time and no more, and silence when anything fails. What failed stands in the log of trouble.

A hook answers before a prompt or a tool may go on, so it gives up by itself: a timer of the operating system interrupts Python,
and a progress handler interrupts a statement of SQLite.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from types import FrameType

    from token_saver.events import HostEvent, Reply

    Hook = Callable[[HostEvent], Reply | None]

BUDGET_VARIABLE = "TOKEN_SAVER_MEMORY_BUDGET_MS"
BUDGET_MS = 150
SWITCH_VARIABLE = "TOKEN_SAVER_MEMORY"
PATIENCE = 0.03
"""Seconds to wait for another process that writes."""
_STEPS = 2_000
"""Instructions of SQLite between two looks at the clock."""


class OutOfTimeError(BaseException):
    """The hook's time is over; not an Exception, so that nothing on the way takes it for its own."""


def hook(function: Hook) -> Hook:
    """Make *function* a hook: off when switched off, bounded in time, silent about what fails."""

    @wraps(function)
    def bounded(event: HostEvent) -> Reply | None:
        if os.environ.get(SWITCH_VARIABLE, "").lower() in ("0", "off", "no"):
            return None
        try:
            with time_limit(budget()):
                return function(event)
        except (Exception, OutOfTimeError) as error:
            from token_saver.hosts import trouble

            trouble.note(f"memory: {event.kind}", error)
            return None

    return bounded


def budget() -> float:
    """Return the seconds that a hook may take: the variable's milliseconds, else 150."""
    named = os.environ.get(BUDGET_VARIABLE, "")
    return (int(named) if named.isdecimal() and int(named) else BUDGET_MS) / 1000.0


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the block when its time is over."""

    def over(number: int, frame: FrameType | None) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def stop_statements(connection: sqlite3.Connection, seconds: float) -> None:
    """Let no statement run on when the time from now on is over."""
    end = time.monotonic() + seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > end), _STEPS)
