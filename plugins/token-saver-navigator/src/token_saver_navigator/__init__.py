"""Navigator: find and read code by symbol instead of by file, as a Token-Saver plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.hookspecs import hookimpl

if TYPE_CHECKING:
    from token_saver.extensions import CommandGroup, McpTool


@hookimpl
def token_saver_commands() -> list[CommandGroup]:
    """Add ``token-saver nav``."""
    from token_saver_navigator import commands

    return [commands]


@hookimpl
def token_saver_mcp_tools() -> list[McpTool]:
    """Add the tools of the navigator."""
    from token_saver_navigator.tools import tools

    return tools()
