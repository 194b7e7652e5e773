"""``token-saver recall``: what was left out of a result, without running the command again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver.kept import Kept, Record

_DESCRIPTION = """\
Print the full masked output behind a result that ends in `token-saver recall ID`, byte for byte, or a part of it. `list` shows
what is kept, `clear` deletes all of it. The status is 1 when nothing of that number is kept any more, or no line is wanted."""


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser("recall", help="print what was left out of a result", description=_DESCRIPTION)
    made.add_argument("what", metavar="ID|list|clear")
    part = made.add_mutually_exclusive_group()
    part.add_argument("--lines", metavar="A-B", help="the lines from A to B, counted from 1; A- and -B are open")
    part.add_argument("--grep", metavar="RE", help="the lines in which a regular expression is found, with their numbers")
    part.add_argument("--section", metavar="NAME", help="the section whose heading holds NAME")
    part.add_argument("--around", metavar="LINE", type=int, help="ten lines before and behind a line")
    output.add_format(made)
    made.set_defaults(command=_recall)


def _recall(options: argparse.Namespace) -> int:
    from token_saver import store
    from token_saver.recall import outputs

    kept = outputs.opened(output.effective_settings().as_dict(), store.data_folder())
    if options.what == "list":
        return _list(kept, options.format)
    if options.what == "clear":
        from token_saver.recall import repeats

        count = output.cleared(kept)
        output.cleared(repeats.opened(store.data_folder()))
        output.write(f"{count} kept outputs deleted\n")
        return 0
    if not options.what.isdecimal():
        raise InputError(f"recall needs the number of a kept output, list or clear, not {options.what}")
    record = kept.read(int(options.what)) if output.exists(kept) else None
    if record is None:
        output.note(f"no output {options.what} is kept (any more)")
        return 1
    return _print(record, options)


def _print(record: Record, options: argparse.Namespace) -> int:
    from token_saver.recall import outputs

    text = outputs.restored(record)
    wanted = _wanted(text, options)
    if options.format == "json":
        described = outputs.described(record)
        output.print_json({**described, "output": wanted.encode("utf-8", "surrogateescape").decode("utf-8", "replace")})
    else:
        output.write(wanted)
    _note_return(record, len(wanted))
    if not wanted:
        output.note("no line of it is asked for by that")
        return 1
    return 0


def _note_return(record: Record, characters: int) -> None:
    """Let the statistics take off what was brought back."""
    from token_saver import recorder, settings
    from token_saver.recall import outputs

    about = outputs.described(record)
    recorder.recalled(characters, command=about["command"], processor=about["family"], settings=settings.load().as_dict())


def _wanted(text: str, options: argparse.Namespace) -> str:
    from token_saver.recall import selection

    if options.lines is not None:
        return selection.lines(text, options.lines)
    if options.grep is not None:
        return selection.matching(text, options.grep)
    if options.section is not None:
        return selection.section(text, options.section)
    if options.around is not None:
        return selection.around(text, options.around)
    return text


def _list(kept: Kept, form: str) -> int:
    from token_saver.recall import outputs

    rows = [outputs.described(record) for record in kept.records()] if output.exists(kept) else []
    if form == "json":
        output.print_json({"outputs": rows})
        return 0
    from rich.table import Table
    from rich.text import Text

    table = Table("id", "age", "lines", "processor", "command", box=None, pad_edge=False)
    for row in rows:
        table.add_row(str(row["id"]), output.age(row["made"]), str(row["lines"]), row["family"], Text(row["command"]))
    output.console().print(table if rows else "nothing is kept")
    return 0
