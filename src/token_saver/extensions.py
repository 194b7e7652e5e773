"""What plugins hand over through the hooks of ``token_saver.hookspecs``, apart from processors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping


class Listener(NamedTuple):
    """Wants events of one *kind* (``token_saver.events``); *place* is ``module:function(HostEvent) -> Reply | None``.

    *tools* are the tools whose events are wanted (all when empty), by the names that the hosts use. The place is written
    into the snapshot and imported only when such an event comes.
    """

    kind: str
    place: str
    tools: tuple[str, ...] = ()


class Observer(NamedTuple):
    """Wants to know what became of every command; *place* is ``module:function(Outcome) -> None``.

    It is called after the output was delivered and can neither delay nor change it.
    """

    place: str


class PluginHost(NamedTuple):
    """Another coding agent; *module* is one with ``NAME`` and ``answer(event, words)`` (``token_saver.hosts.protocol``)."""

    name: str
    module: str


class CommandGroup(Protocol):
    """Commands of the command line; a module with this function is one."""

    def add(self, commands: argparse._SubParsersAction[Any]) -> None:
        """Add parsers, each with ``set_defaults(command=function(options) -> exit status)``."""


class McpContext(NamedTuple):
    """Where an MCP client stands: its first root, else the folder of the server's process; its session if it has one."""

    cwd: str
    session: str = ""


class McpTool(NamedTuple):
    """A tool of the MCP server. *input_schema* is a JSON Schema object; *call* returns the text for the model.

    Raise a ``TokenSaverError`` to answer with an error; an empty answer never stands for one.
    """

    name: str
    description: str
    input_schema: Mapping[str, Any]
    call: Callable[[Mapping[str, Any], McpContext], str]


class Tokenizer(Protocol):
    """Counts tokens; *name* is printed with every figure, so that two ways of counting are never confused."""

    @property
    def name(self) -> str:
        """The method, for example ``characters/4`` or ``o200k_base``."""

    def count(self, text: str) -> int:
        """Return the number of tokens of *text*."""
