"""The memory of Token-Saver: what is learnt about a project is kept, found, checked against the code and forgotten."""

from __future__ import annotations

from token_saver.extensions import CommandGroup
from token_saver.hookspecs import hookimpl


@hookimpl
def token_saver_commands() -> list[CommandGroup]:
    """Bring ``token-saver memory``."""
    from token_saver_memory import commands

    return [commands]
