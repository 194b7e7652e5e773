"""``token-saver memory evaluate``: what other orders than the one that was used would have earned."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from token_saver_memory.ranking.offpolicy import Estimate

_DESCRIPTION = """\
Judge orders of this project's rows from the log of its own lists: the last place of a list is given to chance now and then,
with a known probability. The earlier half of the lists teaches the learnt order, the later half judges. Nothing is concluded
from fewer than a hundred effective events."""


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    from token_saver.cli import output

    made = group.add_parser("evaluate", help="judge the ranker from the log of its lists", description=_DESCRIPTION)
    output.add_format(made)
    made.set_defaults(command=_evaluate)


def _evaluate(options: argparse.Namespace) -> int:
    from token_saver.cli import output
    from token_saver.errors import InputError
    from token_saver_memory.memory import open_memory
    from token_saver_memory.ranking.evaluate import judged

    with open_memory() as memory:
        scope = memory.scope(os.getcwd())
        if scope is None:
            raise InputError("this folder is no project; its lists are judged from inside of one")
        count, found = judged(memory.connection, scope.project_id)
    if options.format == "json":
        rows = [{"policy": each.policy, "estimates": [row._asdict() for row in each.estimates]} for each in found]
        output.print_json({"events": count, "policies": rows})
        return 0
    print(f"{count} events of the later half of the lists of {scope.label}")
    for each in found:
        print(f"{each.policy + ':':18} {', '.join(map(_told, each.estimates))}")
    return 0


def _told(estimate: Estimate) -> str:
    value = "too few events" if estimate.value is None else f"{estimate.value:.3f}"
    return f"{estimate.method} {value} ({estimate.sample:.0f})"
