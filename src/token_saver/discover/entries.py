"""What one line of a transcript can hold that matters: a command was asked for, or its output came."""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """A command that the agent asked for; *session* is "" when the line does not say."""

    identifier: str
    command: str
    session: str


class Answer(NamedTuple):
    """What the model read of the command's output; *status* is None when the host does not tell it."""

    identifier: str
    output: str
    status: int | None


def texts(content: object) -> str:
    """Return a text, or the texts of a list of blocks one below the other; what is no text counts for nothing."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    found = [block.get("text") for block in blocks if isinstance(block, dict)]
    return "\n".join(text for text in found if isinstance(text, str))
