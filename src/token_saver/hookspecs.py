"""What a plugin may provide. Each hook is a signature and a promise; ``token_saver.plugins`` calls them.

A plugin is a distribution with an entry point in the group ``token_saver``, or a ``.py`` file in the user's processor
folder. A plugin that raises is reported once, by name, and left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from token_saver.extensions import CommandGroup, Listener, McpTool, Observer, PluginHost, Tokenizer
    from token_saver.processor import Processor

PROJECT = "token_saver"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks:
    """The hooks that Token-Saver calls."""

    @hookspec
    def token_saver_processors(self) -> list[Processor]:  # type: ignore[empty-body]
        """Return the processors that the plugin adds; called once, when the registry is built."""

    @hookspec
    def token_saver_commands(self) -> list[CommandGroup]:  # type: ignore[empty-body]
        """Return groups of commands for the command line; asked when a command is not one of ours, and for the help."""

    @hookspec
    def token_saver_listeners(self) -> list[Listener]:  # type: ignore[empty-body]
        """Return who wants which events of a host; compiled into the snapshot."""

    @hookspec
    def token_saver_observers(self) -> list[Observer]:  # type: ignore[empty-body]
        """Return who wants to know what became of every command; compiled into the snapshot."""

    @hookspec
    def token_saver_hosts(self) -> list[PluginHost]:  # type: ignore[empty-body]
        """Return further hosts; compiled into the snapshot."""

    @hookspec
    def token_saver_mcp_tools(self) -> list[McpTool]:  # type: ignore[empty-body]
        """Return tools for ``token-saver mcp``; asked when the server starts."""

    @hookspec
    def token_saver_tokenizers(self) -> list[Tokenizer]:  # type: ignore[empty-body]
        """Return exact counters of tokens, by their names; asked when a report is to name one."""
