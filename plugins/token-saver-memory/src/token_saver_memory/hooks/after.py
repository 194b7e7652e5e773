"""PostToolUse of an editor or a planner: what a session worked on, and what it left to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.events import HostEvent, Reply
from token_saver_memory.hooks import quiet, rollup
from token_saver_memory.hooks.edit import edited_file
from token_saver_memory.hooks.visit import visit

if TYPE_CHECKING:
    from collections.abc import Mapping


@quiet.hook
def after_edit(event: HostEvent) -> Reply | None:
    """Note the file."""
    with visit(event) as here:
        if here is not None:
            rollup.add(here, "investigated", edited_file(event.tool_input, event.cwd, here.scope.top))
    return None


@quiet.hook
def after_planning(event: HostEvent) -> Reply | None:
    """Note the steps that are left."""
    with visit(event) as here:
        if here is not None:
            rollup.put(here, "next_steps", "\n".join(open_steps(event.tool_input)))
    return None


def open_steps(arguments: Mapping[str, Any]) -> list[str]:
    """Return what is left to do of a list of steps."""
    steps = arguments.get("todos")
    listed = [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    return [str(step.get("content", "")) for step in listed if step.get("status") != "completed"]
