"""What the commands share: where they stand, how rows are printed."""

from __future__ import annotations

import datetime
import os
from typing import TYPE_CHECKING, Any

from token_saver.cli import output
from token_saver.errors import InputError

if TYPE_CHECKING:
    import argparse

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Row, Scope

_VARIABLES = ("TOKEN_SAVER_SESSION", "CLAUDE_CODE_SESSION_ID")


def add_place(command: argparse.ArgumentParser) -> None:
    """Add ``--project`` and ``--format``."""
    command.add_argument("--project", default=".", metavar="FOLDER", help="any folder of the project (default: this one)")
    output.add_format(command)


def open_for(options: argparse.Namespace) -> tuple[Memory, Scope | None]:
    """Return the memory and the project that the options name; the caller closes the memory."""
    from token_saver_memory.memory import open_memory

    memory = open_memory()
    try:
        return memory, memory.scope(os.path.abspath(options.project))
    except BaseException:
        memory.close()
        raise


def project_of(scope: Scope | None, options: argparse.Namespace) -> Scope:
    """Return *scope*; raises InputError when the folder is no project."""
    if scope is None:
        raise InputError(f"{os.path.abspath(options.project)} is no project: home, / and temporary folders have no memory")
    return scope


def number(ref: str) -> int:
    """Read the id of a row: 12, #12, memory://item/12; for argparse."""
    from token_saver_memory.reading import number_of

    found = number_of(ref)
    if found is None:
        raise InputError(f"{ref!r} names no row; give its id: 12, #12 or memory://item/12")
    return found


def session() -> str:
    """Return the id of the session that this process is in, "" when there is none."""
    return next((os.environ[name] for name in _VARIABLES if os.environ.get(name)), "")


def day(moment: float | None) -> str:
    """Return the day of *moment*, "now" for None."""
    return "now" if moment is None else datetime.datetime.fromtimestamp(moment).strftime("%Y-%m-%d %H:%M")


def line(row: Row) -> str:
    """Return a row in one line: id, kind, title, what to know before it is believed, its cost."""
    marks = [row.review] if row.review != "unreviewed" else []
    marks += [row.verdict_detail or row.verdict] if row.verdict in ("changed", "missing") else []
    marks += ["everywhere"] if row.is_global else []
    return f"#{row.id} {row.type}: {row.title}" + (f" [{'; '.join(marks)}]" if marks else "") + f" (~{row.tokens} tokens)"


def as_dict(row: Row) -> dict[str, Any]:
    """Return a row as JSON has it."""
    return {**row._asdict(), "uri": row.uri, "tokens": row.tokens}


def say(options: argparse.Namespace, text: str, value: dict[str, Any]) -> None:
    """Print *text* for people or *value* as JSON."""
    if options.format == "json":
        output.print_json(value)
    else:
        output.write(text + "\n")
