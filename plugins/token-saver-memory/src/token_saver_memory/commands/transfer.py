"""``token-saver memory export`` and ``import``."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from token_saver_memory.commands import common

if TYPE_CHECKING:
    import argparse


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the commands."""
    export = group.add_parser(
        "export", help="write rows as Markdown files", description="Write every current row as a Markdown file."
    )
    export.add_argument("folder", metavar="FOLDER", help="where to")
    export.add_argument("--all", action="store_true", help="of all projects")
    common.add_place(export)
    export.set_defaults(command=_export)
    taken = group.add_parser(
        "import",
        help="take Markdown files in",
        description="Take in what export wrote. What was forgotten here is refused; the status is 1 then.",
    )
    taken.add_argument("path", nargs="+", metavar="PATH", help="files, or folders of them")
    common.add_place(taken)
    taken.set_defaults(command=_import)


def _export(options: argparse.Namespace) -> int:
    from token_saver_memory import transfer

    memory, scope = common.open_for(options)
    with memory:
        files = transfer.export(memory.connection, None if options.all else common.project_of(scope, options), options.folder)
    common.say(options, f"{len(files)} rows in {options.folder}", {"files": files})
    return 0


def _import(options: argparse.Namespace) -> int:
    from token_saver_memory import transfer

    memory, scope = common.open_for(options)
    with memory:
        done = list(transfer.take_in(memory, scope, options.path, common.session()))
    lines = [f"{path}: {saved.message}" for path, saved in done if saved.decision not in ("new", "same")]
    counts = Counter(saved.decision for _, saved in done)
    lines.append(", ".join(f"{count} {decision}" for decision, count in sorted(counts.items())) or "no files")
    value = [{"file": path, "decision": saved.decision, "id": saved.item_id, "message": saved.message} for path, saved in done]
    common.say(options, "\n".join(lines), {"imported": value})
    return 1 if counts["refused"] else 0
