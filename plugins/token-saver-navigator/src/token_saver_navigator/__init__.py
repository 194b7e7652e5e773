"""Navigator: find and read code by symbol instead of by file, as a Token-Saver plugin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.hookspecs import hookimpl

if TYPE_CHECKING:
    from token_saver.extensions import CommandGroup, McpTool
    from token_saver.processor import Processor


@hookimpl
def token_saver_processors() -> list[Processor]:
    """Add the reader of long source files, when the user's settings ask for it."""
    from token_saver.settings import load_user

    if not load_user().get("source_outline"):
        return []
    from token_saver_navigator.source_outline import SourceOutlineProcessor

    return [SourceOutlineProcessor()]


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
