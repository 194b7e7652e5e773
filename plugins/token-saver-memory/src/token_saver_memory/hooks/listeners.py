"""Which events of a session the memory wants."""

from __future__ import annotations

from token_saver import events
from token_saver.extensions import Listener
from token_saver_memory.hooks.after import PLANNERS
from token_saver_memory.hooks.edit import EDITORS, SHELLS

_ROOM = "token_saver_memory.hooks"


def listeners() -> list[Listener]:
    """Return them all."""
    return [
        Listener(events.SESSION_START, f"{_ROOM}.start:session_start"),
        Listener(events.PROMPT, f"{_ROOM}.prompt:prompt"),
        Listener(events.BEFORE_TOOL, f"{_ROOM}.edit:before_tool", (*EDITORS, *SHELLS)),
        Listener(events.AFTER_TOOL, f"{_ROOM}.after:after_tool", (*EDITORS, *SHELLS, *PLANNERS)),
        Listener(events.BEFORE_COMPACT, f"{_ROOM}.ends:before_compact"),
        Listener(events.STOP, f"{_ROOM}.ends:stop"),
        Listener(events.SESSION_END, f"{_ROOM}.ends:session_end"),
    ]
