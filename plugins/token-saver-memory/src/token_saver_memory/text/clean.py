"""What is taken out of a text before anything of it is stored: private blocks, injected blocks, secrets, control characters."""

from __future__ import annotations

import re

from token_saver.redaction import mask, mask_command

OWN_BLOCK = "token-saver-memory"
"""The tag around everything that our hooks put into a conversation, so that it is never learnt again."""

_INJECTED = (
    OWN_BLOCK,
    "system-reminder",
    "system_reminder",
    "system-message",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-message",
    "command-name",
    "command-args",
    "task-notification",
    "persisted-output",
    "memory-context",
    "relevant-memories",
)

_BLOCK = re.compile(
    rf"<({'|'.join(map(re.escape, ('private', *_INJECTED)))})\b[^>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
_STRAY_END = re.compile(rf"</(?:{'|'.join(map(re.escape, ('private', *_INJECTED)))})\s*>", re.IGNORECASE)
_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")


def without_blocks(text: str) -> str:
    """Return *text* without private and injected blocks; one that is not closed reaches to the end."""
    found = 1
    while found:
        text, found = _BLOCK.subn("", text)
    return _STRAY_END.sub("", text)


def clean(text: str, *, command: bool = False) -> str:
    """Return *text* as it may be stored; with *command* it is a command line, whose secret options are masked too."""
    kept = _CONTROL.sub("", without_blocks(text).replace("\r\n", "\n"))
    masked = mask(kept)[0]
    return (mask_command(masked) if command else masked).strip()
