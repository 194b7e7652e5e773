"""Events of a session for those plugins that want them: ``hook claude events``.

What wants which event stands in the snapshot; a plugin is imported only when such an event comes. The answers of several
are put together: what they add stands one below the other, and one refusal is enough. A plugin that fails is left out.
"""

from __future__ import annotations

from token_saver import events
from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from token_saver.snapshot import Snapshot

CLAUDE = {
    "SessionStart": events.SESSION_START,
    "UserPromptSubmit": events.PROMPT,
    "PreToolUse": events.BEFORE_TOOL,
    "PostToolUse": events.AFTER_TOOL,
    "PreCompact": events.BEFORE_COMPACT,
    "Stop": events.STOP,
    "SessionEnd": events.SESSION_END,
}
"""The names of Claude Code, and of what follows it, for the kinds of events."""
_TAKES_CONTEXT = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse"})


def heard(host: str, payload: Mapping[str, Any], registry: Snapshot, said: str = "") -> Mapping[str, Any] | None:
    """Return the reply, in the shape of Claude Code, to an event that plugins want; None when there is nothing to say.

    *said* is a line of ours that stands above what they add.
    """
    name = protocol.text(payload, "hook_event_name")
    event = read(host, CLAUDE.get(name, ""), payload)
    context, refusal = _asked(event, registry)
    return rendered(name, "\n".join(filter(None, (said, context))), refusal)


def read(host: str, kind: str, payload: Mapping[str, Any]) -> events.HostEvent:
    """Return the event that *payload* is."""
    return events.HostEvent(
        host,
        kind,
        payload,
        session=protocol.text(payload, "session_id"),
        cwd=protocol.text(payload, "cwd"),
        tool=protocol.text(payload, "tool_name"),
        tool_input=protocol.table(payload, "tool_input"),
        tool_response=payload.get("tool_response"),
        prompt=protocol.text(payload, "prompt"),
    )


def rendered(name: str, context: str, refusal: str) -> Mapping[str, Any] | None:
    """Return what Claude Code reads: a refusal stops a tool, a context is added where the event takes one."""
    if refusal and name == "PreToolUse":
        output = {"hookEventName": name, "permissionDecision": "deny", "permissionDecisionReason": refusal}
        return {"hookSpecificOutput": {**output, **({"additionalContext": context} if context else {})}}
    if context and name in _TAKES_CONTEXT:
        return {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    return None


def _asked(event: events.HostEvent, registry: Snapshot) -> tuple[str, str]:
    contexts: list[str] = []
    refusals: list[str] = []
    for row in registry.content["listeners"]:
        kind, tools, module, function = row.split("\t")
        if kind != event.kind or (tools and event.tool not in tools.split(" ")):
            continue
        reply = _answer(module, function, event)
        if reply is not None:
            contexts += [reply.context] if reply.context else []
            refusals += [reply.refusal] if reply.refusal else []
    return "\n".join(contexts), "\n".join(refusals)


def _answer(module: str, function: str, event: events.HostEvent) -> events.Reply | None:
    try:
        reply: events.Reply | None = getattr(__import__(module, fromlist=[function]), function)(event)
    except Exception as error:
        from token_saver.hosts import trouble

        trouble.note(f"listener {module}", error)
        return None
    return reply
