"""The ``AfterTool`` event of Gemini CLI and of what descends from it: the completed output comes, a reason replaces it.

``tool_response.llmContent`` is a text or a list of parts. The host writes labels around the output of a command
(``Output: …``, ``Exit Code: 1``); what stands between them is shortened, the labels stay.
"""

from __future__ import annotations

from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_TOOL = "run_shell_command"
_OUTPUT = "Output: "
_AFTER = ("Error: ", "Exit Code: ", "Signal: ", "Background PIDs: ", "Process Group PGID: ")


def replacement(event: Mapping[str, Any], host: str) -> str | None:
    """Return the text to show in the place of the output that *event* of *host* brings, None to leave it."""
    response = protocol.table(event, "tool_response")
    command = protocol.command_in(event, "tool_input", "command") or protocol.command_in(event, "tool_input", "cmd")
    content = _content(response)
    if event.get("tool_name", _TOOL) != _TOOL or not command or not content or response.get("error"):
        return None
    from token_saver.command_policy import CONSTRUCT, SUBSTITUTION, UNKNOWN
    from token_saver.hosts import compiled

    if compiled.is_switched_off():
        return None
    ours = compiled.Compiled()
    ours.session, ours.folder = protocol.text(event, "session_id"), protocol.text(event, "cwd")
    decision = ours.policy().explain_decision(command)
    if not decision.compressible and decision.rule not in (CONSTRUCT, SUBSTITUTION, UNKNOWN):
        return None
    before, output, after, status = parts(content)
    shown = ours.shortened(command, output, status)
    ours.report(host, "after-tool", (len(output), len(output) if shown is None else len(shown)), status)
    masked = ours.masked(before), ours.masked(after)
    if shown is None and masked == (before, after):
        return None
    return masked[0] + (output if shown is None else shown) + masked[1]


def _content(response: Mapping[str, Any]) -> str:
    found = response.get("llmContent", response.get("output"))
    if isinstance(found, list):
        texts = [part.get("text") if isinstance(part, dict) else part for part in found]
        known = [text for text in texts if isinstance(text, str)]
        return "\n".join(known) if len(known) == len(texts) else ""
    return found if isinstance(found, str) else ""


def parts(content: str) -> tuple[str, str, str, int | None]:
    """Return what stands before the output, the output, what stands behind it, and the exit status if it is told."""
    start = 0 if content.startswith(_OUTPUT) else content.find("\n" + _OUTPUT) + 1
    if not content.startswith(_OUTPUT, start):
        return "", content, "", None
    begin = start + len(_OUTPUT)
    end = len(content)
    status: int | None = None
    while (line := content.rfind("\n", begin, end)) >= 0 and content.startswith(_AFTER, line + 1):
        label, _, value = content[line + 1 : end].partition(": ")
        if label == "Exit Code" and value.strip().lstrip("-").isdecimal():
            status = int(value)
        end = line
    return content[:begin], content[begin:end], content[end:], status
