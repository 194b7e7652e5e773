"""Which events of a session the memory wants."""

from __future__ import annotations

from token_saver import events
from token_saver.extensions import Listener

EDITORS = ("Edit", "MultiEdit", "NotebookEdit", "Write", "replace", "write_file")
SHELLS = ("Bash", "run_shell_command")
PLANNERS = ("TodoWrite",)
"""The tools of Claude Code and of Gemini."""
_ROOM = "token_saver_memory.hooks"


def listeners() -> list[Listener]:
    """Return them all."""
    return [
        Listener(events.SESSION_START, f"{_ROOM}.start:session_start"),
        Listener(events.PROMPT, f"{_ROOM}.prompt:prompt"),
        Listener(events.BEFORE_TOOL, f"{_ROOM}.edit:before_edit", EDITORS),
        Listener(events.BEFORE_TOOL, f"{_ROOM}.command:before_command", SHELLS),
        Listener(events.AFTER_TOOL, f"{_ROOM}.after:after_edit", EDITORS),
        Listener(events.AFTER_TOOL, f"{_ROOM}.after:after_planning", PLANNERS),
        Listener(events.AFTER_TOOL, f"{_ROOM}.command:after_command", SHELLS),
        Listener(events.BEFORE_COMPACT, f"{_ROOM}.ends:before_compact"),
        Listener(events.STOP, f"{_ROOM}.ends:stop"),
        Listener(events.SESSION_END, f"{_ROOM}.ends:session_end"),
    ]
