"""What Token-Saver is given: commands, listeners and tools. Hook processes import the package without this module."""

from __future__ import annotations

from token_saver.extensions import CommandGroup, Listener, McpTool
from token_saver.hookspecs import hookimpl


@hookimpl
def token_saver_commands() -> list[CommandGroup]:
    """Bring ``token-saver memory``."""
    from token_saver_memory import commands

    return [commands]


@hookimpl
def token_saver_listeners() -> list[Listener]:
    """Ask for the events of a session."""
    from token_saver_memory.hooks import listeners

    return listeners.listeners()


@hookimpl
def token_saver_mcp_tools() -> list[McpTool]:
    """Bring the tools for an agent."""
    from token_saver_memory import tools

    return tools.mcp_tools()
