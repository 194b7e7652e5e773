"""The command line: one file a command group, each with ``add(commands)`` and functions that return an exit status.

Exit statuses: ``run`` and ``raw`` end with the status of the command; every other command with 0 when all is well, 1 when
what was asked for does not hold, 2 when the input cannot be used, 130 when interrupted. Results go to stdout, messages to
stderr.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from token_saver.errors import TokenSaverError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

USAGE_STATUS = 2
INTERRUPTED_STATUS = 130

GROUPS = (
    "run",
    "compress",
    "explain",
    "recall",
    "delta",
    "init",
    "doctor",
    "discover",
    "stats",
    "export",
    "replay",
    "evaluate",
    "record",
    "benchmark",
    "processors",
    "config",
    "mcp",
    "update",
    "completion",
    "hook",
)
"""The modules of this package that add commands, in the order of the help."""

_EXAMPLES = """\
examples:
  token-saver run -- pytest -q            run a command, print its output shortened, end with its status
  git log -40 | token-saver compress 'git log -40'
  token-saver explain 'cd web && npm test'
  token-saver config show
  token-saver init                        connect it to the coding agents that are installed
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``token-saver`` with *argv* (default: the process's) and return the exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["run"] or arguments[:1] == ["raw"]:
        from token_saver.hosts import wrapper

        return wrapper.main(arguments)
    if arguments[:1] == ["hook"] and not {"-h", "--help"} & set(arguments):
        from token_saver.hosts import hook

        return hook.main(arguments[1:])
    try:
        options = _parser_for(arguments).parse_args(arguments)
        status: int = options.command(options)
        sys.stdout.flush()
    except TokenSaverError as error:
        print(f"token-saver: {error}", file=sys.stderr)
        return USAGE_STATUS
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except BrokenPipeError:
        _close_stdout()
        return 0
    return status


def _parser_for(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return the parser of our commands, and of those of plugins unless *arguments* are for one of ours."""
    made, commands = _parsers()
    first = next((word for word in arguments if not word.startswith("-")), "")
    if first not in commands.choices:
        _add_from_plugins(commands)
    return made


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands of ours."""
    return _parsers()[0]


def complete_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands, those of plugins too."""
    made, commands = _parsers()
    _add_from_plugins(commands)
    return made


def _parsers() -> tuple[argparse.ArgumentParser, argparse._SubParsersAction[Any]]:
    import argparse
    import importlib

    from token_saver import __version__

    made = argparse.ArgumentParser(
        prog="token-saver",
        description="Shortens command output for coding agents and says what it left out.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"token-saver {__version__}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in GROUPS:
        importlib.import_module(f"{__name__}.{name}").add(commands)
    return made, commands


def _add_from_plugins(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the commands that plugins bring; one that fails is named and left out."""
    from token_saver.plugins import extensions

    groups, problems = extensions("commands")
    for problem in problems:
        print(f"token-saver: the plugin {problem.plugin} {problem.reason}", file=sys.stderr)
    for group in groups:
        try:
            group.add(commands)
        except Exception as error:
            name = getattr(group, "__name__", type(group).__name__)
            print(f"token-saver: the commands of {name} cannot be added: {type(error).__name__}", file=sys.stderr)


def _close_stdout() -> None:
    """Leave no buffered text behind whose flush at exit would fail again."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
