"""``token-saver config``: the effective settings and where each comes from."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from token_saver.cli import output

if TYPE_CHECKING:
    import argparse

    from token_saver.settings import Settings


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the group; without a further word it shows."""
    made = commands.add_parser("config", help="show the settings and where they come from")
    made.set_defaults(command=_show, format="text")
    group = made.add_subparsers(metavar="show|path")
    showing = group.add_parser("show", help="show every setting, its value and its source")
    output.add_format(showing)
    showing.set_defaults(command=_show)
    path = group.add_parser("path", help="print where the settings files are looked for")
    path.set_defaults(command=_path)


def _show(options: argparse.Namespace) -> int:
    from rich.table import Table

    settings = output.effective_settings()
    if options.format == "json":
        output.print_json({"settings": _rows(settings), "problems": [str(problem) for problem in settings.problems]})
        return 1 if settings.problems else 0
    table = Table("key", "value", "source", box=None, pad_edge=False)
    for row in _rows(settings):
        table.add_row(row["key"], repr(row["value"]), row["source"])
    output.console().print(table, markup=False)
    return 1 if settings.problems else 0


def _rows(settings: Settings) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": list(value) if isinstance(value, tuple) else value, "source": str(settings.provenance(key))}
        for key, value in settings.as_dict().items()
    ]


def _path(options: argparse.Namespace) -> int:
    from token_saver.settings import PROJECT_FILE, find_project_file, user_file

    project = find_project_file(os.getcwd(), os.path.expanduser("~"))
    print(f"user     {user_file()}")
    print(f"project  {project or f'none ({PROJECT_FILE} in this folder or above, up to the repository)'}")
    return 0
