"""Google Antigravity, in both shapes that it knows.

``after-tool``: the completed output comes and a refusal with a reason replaces it; ``{}`` leaves it.
``native`` (``agy`` 1.1 and later): ``PreToolUse`` may overwrite the command line. The answer is ``ask``, which is the user's
normal policy, and never ``allow``, which would run the command unasked, nor ``{}``, which refuses it. Silence runs it.
"""

from __future__ import annotations

import posix

from token_saver import snapshot
from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

NAME = "antigravity"
SHAPES = ("native", "after-tool")
_TOOL = "run_command"
_BINDING = protocol.words(
    "ask block blocked blocklist confirm deny denied denylist disallowed exclude excluded excludetools forbid"
)
_SETTINGS = (
    "{home}/.gemini/settings.json",
    "{home}/.gemini/antigravity-cli/settings.json",
    "{home}/.gemini/config/settings.json",
    "{cwd}/.gemini/settings.json",
    "{cwd}/.agents/settings.json",
)


def answer(event: Mapping[str, Any], words: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the reply in the shape that the installed command names."""
    if words[:1] == ["after-tool"]:
        return _after(event)
    return _before(event) if words[:1] == ["native"] and "toolCall" in event else None


def _after(event: Mapping[str, Any]) -> Mapping[str, Any]:
    from token_saver.hosts.after_tool import replacement

    shown = replacement(event, NAME)
    return {} if shown is None else {"decision": "deny", "reason": shown}


def _before(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    command = protocol.command_in(event, "toolCall", "args", "CommandLine")
    if protocol.text(event, "toolCall", "name") != _TOOL or not command:
        return None
    from token_saver.hosts import compiled

    if compiled.is_switched_off() or not (ours := compiled.Compiled()).knows(command) or _is_bound(event, command):
        return None
    rewritten = ours.rewritten(command)
    if rewritten is None:
        return None
    return {"decision": "ask", "overwrite": {"CommandLine": rewritten}}


def _is_bound(event: Mapping[str, Any], command: str) -> bool:
    """Whether a rule of the user that refuses or asks may be about *command*: rewritten, it would escape from that rule."""
    home = snapshot.variable(posix.environ, "HOME") or ""
    cwd = protocol.text(event, "cwd") or protocol.text(event, "toolCall", "args", "Cwd") or posix.getcwd()
    for place in _SETTINGS:
        try:
            with open(place.format(home=home, cwd=cwd), "rb") as file:
                rules = list(_strings(protocol.parse(file.read()), bound=False))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError):
            return True
        if any(_may_concern(rule, command) for rule in rules):
            return True
    return False


def _strings(value: object, *, bound: bool) -> Iterator[str]:
    """Yield every text below a key that names what is refused or asked about."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each, bound=bound or key.lower() in _BINDING)
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each, bound=bound)
    elif isinstance(value, str) and bound:
        yield value


def _may_concern(rule: str, command: str) -> bool:
    """Whether the first word of what the rule names occurs in *command*; a rule that names no word concerns everything."""
    tool, opened, body = rule.partition("(")
    words = (body if opened else tool).strip(" )*:").split()
    if not words or not words[0].strip("*"):
        return True
    return words[0].strip("*:)").rpartition("/")[2] in command or words[0] in (_TOOL, "run_shell_command", "command")
