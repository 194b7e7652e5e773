"""What a host tells a plugin, and what the plugin may answer: values that every host adapter translates to and from.

These are read by hook processes, so nothing else is imported here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SESSION_START = "session_start"
PROMPT = "prompt"
BEFORE_TOOL = "before_tool"
AFTER_TOOL = "after_tool"
BEFORE_COMPACT = "before_compact"
STOP = "stop"
SESSION_END = "session_end"
KINDS = (SESSION_START, PROMPT, BEFORE_TOOL, AFTER_TOOL, BEFORE_COMPACT, STOP, SESSION_END)


class HostEvent:
    """One event of a session. *payload* is the host's own object; everything else is read from it.

    ``kind`` is one of ``KINDS``; ``tool`` is the host's name of a tool, "" where none is concerned; ``session`` and ``cwd``
    are "" when the host does not say.
    """

    __slots__ = ("cwd", "host", "kind", "payload", "prompt", "session", "tool", "tool_input", "tool_response")

    def __init__(
        self,
        host: str,
        kind: str,
        payload: Mapping[str, Any],
        *,
        session: str = "",
        cwd: str = "",
        tool: str = "",
        tool_input: Mapping[str, Any] | None = None,
        tool_response: Any = None,
        prompt: str = "",
    ) -> None:
        self.host = host
        self.kind = kind
        self.payload = payload
        self.session = session
        self.cwd = cwd
        self.tool = tool
        self.tool_input = tool_input or {}
        self.tool_response = tool_response
        self.prompt = prompt


class Reply:
    """What a plugin answers: *context* is added to what the model reads; a *refusal* is why a tool must not run."""

    __slots__ = ("context", "refusal")

    def __init__(self, context: str = "", refusal: str = "") -> None:
        self.context = context
        self.refusal = refusal


class Outcome:
    """One command after its output was delivered: sizes in characters, time in seconds, and where it ran.

    ``label`` is the command line as it was typed; ``mode`` is ``wrap``, ``prefix``, ``post`` or ``after-tool``; ``exit_code``
    is None when the host does not tell it; ``session`` is "" where none is known; ``mismatch`` names the processor that broke its
    contract, "" when none did.
    """

    __slots__ = (
        "cwd",
        "exit_code",
        "host",
        "label",
        "mismatch",
        "mode",
        "original",
        "processor",
        "redacted",
        "seconds",
        "session",
        "shown",
    )

    def __init__(
        self,
        label: str,
        *,
        processor: str,
        original: int,
        shown: int,
        exit_code: int | None,
        seconds: float = 0.0,
        mode: str = "",
        host: str = "",
        session: str = "",
        cwd: str = "",
        redacted: bool = False,
        mismatch: str = "",
    ) -> None:
        self.label = label
        self.processor = processor
        self.original = original
        self.shown = shown
        self.exit_code = exit_code
        self.seconds = seconds
        self.mode = mode
        self.host = host
        self.session = session
        self.cwd = cwd
        self.redacted = redacted
        self.mismatch = mismatch
