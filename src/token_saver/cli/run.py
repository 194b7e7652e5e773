"""``token-saver run`` and ``token-saver raw`` as the help shows them; the wrapper reads their arguments itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

_RUN = "Run a command and print its output shortened; ends with the command's own status."
_RAW = "Run a command and print its output byte for byte; ends with the command's own status."


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Show both commands in the help."""
    commands.add_parser("run", help="run a command, print its output shortened", description=_RUN)
    commands.add_parser("raw", help="run a command, print its output untouched", description=_RAW)
