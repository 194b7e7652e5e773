"""``token-saver explain CMD``: would the command be touched, why, and by which processor; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("explain", help="say what would happen to a command, and why; runs nothing")
    made.add_argument("text", metavar="CMD", help="a command line, quoted as one word")
    output.add_format(made)
    made.set_defaults(command=_explain)


def _explain(options: argparse.Namespace) -> int:
    raise NotImplementedError
