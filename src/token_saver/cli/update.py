"""``token-saver update``: bring Token-Saver up to date, or only look whether there is something newer."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.updater import Installation

_DESCRIPTION = """\
How Token-Saver was installed decides what is done: the commands are shown, you are asked, they are run, and the hooks of the
connected hosts are put in place again. With --check it only looks, at most once a day, and says nothing when it cannot."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("update", help="bring Token-Saver up to date", description=_DESCRIPTION)
    how = made.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="say whether there is something newer; the status is 1 when there is")
    how.add_argument("--yes", action="store_true", help="run the commands without asking")
    made.set_defaults(command=_update)


def _update(options: argparse.Namespace) -> int:
    from token_saver import updater

    of = updater.installation()
    if options.check:
        return _check(of)
    if not of.commands:
        raise InputError(f"it was installed {of.title}")
    output.write(f"installed {of.title}; this brings it up to date:\n")
    output.write("".join(f"  {shlex.join(command)}\n" for command in of.commands))
    if not options.yes and not _agreed():
        return 1
    return 1 if updater.update(of) else 0


def _check(of: Installation) -> int:
    from token_saver import updater

    found = updater.newer(of)
    if found is None:
        return 0
    output.write(f"there is something newer: {found}; token-saver update\n")
    return 1


def _agreed() -> bool:
    """Ask; where nobody can answer, nothing is done."""
    if not sys.stdin.isatty():
        output.note("nobody can be asked here; --yes runs them")
        return False
    try:
        return input("run them? [y/N] ").strip().lower() in ("y", "yes")
    except EOFError:
        return False
