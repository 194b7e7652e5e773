"""Transcripts of Claude Code: ``~/.claude/projects/**/*.jsonl``, those of subagents among them.

The host calls the format its own and may change it. What is read: entries of type ``assistant`` whose ``message.content``
has ``tool_use`` blocks of the tool ``Bash`` with an ``id`` and ``input.command``; entries of type ``user`` whose content has
``tool_result`` blocks with ``tool_use_id``, ``content`` (a text or a list of text blocks: what the model read) and
``is_error``. The text of a failure begins with ``Exit code N``.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from token_saver.discover.entries import Answer, Call, texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NAME = "claude"
SIGNS: tuple[bytes, ...] = (b'"tool_use"', b'"tool_result"')
"""A line with none of these has nothing that is read here."""
_TOOL = "Bash"
_STATUS = "Exit code "


def folders(environ: Mapping[str, str]) -> list[str]:
    """Return where the host keeps its transcripts."""
    home = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(environ.get("HOME", ""), ".claude")
    return [os.path.join(home, "projects")]


def read(entry: Mapping[str, Any]) -> Iterator[Call | Answer]:
    """Yield the calls and the answers of one line."""
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    session = entry.get("sessionId")
    for block in content if isinstance(content, list) else ():
        if not isinstance(block, dict):
            continue
        if block.get("type") == "tool_use" and block.get("name") == _TOOL:
            yield from _call(block, session if isinstance(session, str) else "")
        elif block.get("type") == "tool_result":
            yield from _answer(block)


def _call(block: Mapping[str, Any], session: str) -> Iterator[Call]:
    asked = block.get("input")
    command = asked.get("command") if isinstance(asked, dict) else None
    identifier = block.get("id")
    if isinstance(command, str) and isinstance(identifier, str):
        yield Call(identifier, command, session)


def _answer(block: Mapping[str, Any]) -> Iterator[Answer]:
    identifier, output = block.get("tool_use_id"), texts(block.get("content"))
    if not isinstance(identifier, str):
        return
    if not block.get("is_error"):
        yield Answer(identifier, output, 0)
        return
    first, _, rest = output.partition("\n")
    status = first.removeprefix(_STATUS)
    if first.startswith(_STATUS) and status.isdecimal():
        yield Answer(identifier, rest, int(status))
