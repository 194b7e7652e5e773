"""``token-saver memory save``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from token_saver_memory.commands import common

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Keep one observation. A new value of the same subject takes the place of the old one, which stays in the history. The status
is 1 when it is refused because it was forgotten before."""


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    from token_saver_memory.kinds import KINDS

    made = group.add_parser("save", help="keep one observation", description=_DESCRIPTION)
    made.add_argument("title", help="what it is, in one line")
    made.add_argument("--type", choices=tuple(KINDS), default="note", help="what kind it is (default: note)")
    made.add_argument("--body", default="", help="the text; - reads it from stdin")
    made.add_argument("--why", default="", help="the reason")
    made.add_argument("--how", default="", help="how it is to be applied")
    made.add_argument("--subject", default="", help="what it is the current value of (default: read from the title)")
    made.add_argument("--symbol", default="", help="the function or class it is about, with --file")
    made.add_argument("--file", default="", metavar="PATH", help="the file it is about")
    made.add_argument("--importance", type=int, default=5, metavar="N", help="1 to 10 (default: 5)")
    made.add_argument("--global", dest="everywhere", action="store_true", help="show it in every project")
    made.add_argument("--as", dest="actor", choices=("user", "agent", "tool"), default="user", help="who says so (default: user)")
    common.add_place(made)
    made.set_defaults(command=_save)


def _save(options: argparse.Namespace) -> int:
    import os

    from token_saver_memory.values import Draft

    memory, scope = common.open_for(options)
    with memory:
        draft = Draft(
            scope,
            options.type,
            options.title,
            sys.stdin.read() if options.body == "-" else options.body,
            options.why,
            options.how,
            options.subject,
            options.symbol,
            os.path.abspath(options.file) if options.file and os.path.exists(options.file) else options.file,
            options.importance,
            options.everywhere,
        )
        saved = memory.save(draft, actor=options.actor, session=common.session(), reason="token-saver memory save")
    value = {"decision": saved.decision, "id": saved.item_id, "other": saved.other_id, "message": saved.message}
    common.say(options, saved.message if f"#{saved.item_id}" in saved.message else f"#{saved.item_id} {saved.message}", value)
    return 0 if saved.accepted else 1
