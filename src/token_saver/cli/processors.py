"""``token-saver processors``: which families there are, and what each reads."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.processor import Processor
    from token_saver.registry import Registry


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the group; without a further word it lists."""
    made = commands.add_parser("processors", help="list the processors, or show one")
    made.set_defaults(command=_list, format="text")
    group = made.add_subparsers(metavar="list|show")
    listing = group.add_parser("list", help="list all processors in the order in which they are asked")
    output.add_format(listing)
    listing.set_defaults(command=_list)
    showing = group.add_parser("show", help="show what one processor reads")
    showing.add_argument("name", metavar="NAME")
    output.add_format(showing)
    showing.set_defaults(command=_show)


def _list(options: argparse.Namespace) -> int:
    from rich.table import Table

    registry = _registry()
    if options.format == "json":
        output.print_json({"processors": [_row(processor) for processor in registry], "problems": _problems()})
        return 0
    table = Table("name", "priority", "commands", "what stays", box=None, pad_edge=False)
    for processor in registry:
        row = _row(processor)
        table.add_row(row["name"], str(row["priority"]), ", ".join(row["commands"]) or "any other", row["summary"])
    output.console().print(table)
    for problem in _problems():
        output.note(f"plugin {problem['plugin']} is left out: {problem['reason']}")
    return 0


def _show(options: argparse.Namespace) -> int:
    registry = _registry()
    processor = registry.by_name.get(options.name)
    if processor is None:
        raise InputError(f"there is no processor {options.name!r}; `token-saver processors list` names them all")
    row = _row(processor)
    if options.format == "json":
        output.print_json(row)
        return 0
    for key, value in row.items():
        shown = ", ".join(value) if isinstance(value, list) else str(value)
        output.console().print(f"[bold]{key.replace('_', ' ')}:[/] ", end="")
        output.console().print(shown, markup=False)
    return 0


def _registry() -> Registry:
    from token_saver.plugins import load_processors
    from token_saver.registry import Registry

    return Registry(load_processors(), output.effective_settings().get("disabled_processors"))


def _problems() -> list[dict[str, str]]:
    from token_saver.plugins import default_found

    return [{"plugin": problem.plugin, "reason": problem.reason} for problem in default_found().problems]


def _row(processor: Processor) -> dict[str, Any]:
    return {
        "name": processor.name,
        "priority": processor.priority,
        "commands": list(getattr(processor, "commands", ())),
        "hook_patterns": list(processor.hook_patterns),
        "handles_failure": processor.handles_failure,
        "summary": (inspect.getdoc(type(processor)) or "").partition("\n\n")[0].replace("\n", " "),
        "module": type(processor).__module__,
    }
