"""Gemini CLI: ``AfterTool`` for ``run_shell_command``. A refusal with a reason is how this host lets an output be replaced."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

NAME = "gemini"


def answer(event: Mapping[str, Any], words: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the shortened output, None to leave it as it is."""
    if event.get("hook_event_name", "AfterTool") != "AfterTool" or "tool_response" not in event:
        return None
    from token_saver.hosts.after_tool import replacement

    shown = replacement(event, NAME)
    return None if shown is None else {"decision": "deny", "reason": shown}
