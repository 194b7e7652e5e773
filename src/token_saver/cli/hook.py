"""``token-saver hook`` as the help shows it; ``token_saver.hosts.hook`` reads its arguments itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
token-saver hook HOST [MODE]: read one event of a host on stdin and print the reply; always ends with 0. Hosts start it."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Show the command in the help."""
    commands.add_parser("hook", help="answer an event of a coding agent", description=_DESCRIPTION)
