"""``token-saver mcp``: serve the tools of Token-Saver and of its plugins to a coding agent, over stdin and stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Speak the Model Context Protocol on stdin and stdout; a coding agent starts this by itself. Needs the extra `mcp`."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("mcp", help="serve tools to a coding agent (MCP)", description=_DESCRIPTION)
    made.set_defaults(command=_serve)


def _serve(options: argparse.Namespace) -> int:
    from token_saver import mcp_server

    mcp_server.run()
    return 0
