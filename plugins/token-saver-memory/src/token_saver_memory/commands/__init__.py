"""``token-saver memory``: one module a group of commands, each with ``add(group)``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = "Look at, keep and forget what is remembered of this project."


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``memory`` with all of its commands."""
    from token_saver_memory.commands import care, review, save, show, transfer
    from token_saver_memory.ranking import command as ranking
    from token_saver_memory.web import command as web

    memory = commands.add_parser("memory", help="look at, keep and forget what is remembered", description=_DESCRIPTION)
    group = memory.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for module in (save, show, review, transfer, care, ranking, web):
        module.add(group)
