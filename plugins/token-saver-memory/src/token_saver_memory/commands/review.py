"""``token-saver memory forget``, ``restore``, ``confirm``, ``dispute``, ``global`` and ``purge``: what a person decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from token_saver_memory.commands import common
from token_saver_memory.values import PERSON

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from token_saver_memory.memory import Memory
    from token_saver_memory.values import Scope

    Act = Callable[[Memory, int, Scope | None, argparse.Namespace], str]


def add(group: argparse._SubParsersAction[Any]) -> None:
    """Add the commands."""
    _add(group, "forget", "retire a row, so that its text does not come back", _forget)
    _add(group, "restore", "take a forgotten or expired row back", _restore)
    _add(group, "confirm", "say that a row holds, about the code as it is now", _confirm)
    _add(group, "dispute", "say that a row is wrong; it is hidden until it is confirmed", _dispute)
    _add(group, "global", "show a row in every project", _global).add_argument("--off", action="store_true", help="no longer")
    _add(group, "purge", "erase the text of a row from the file for good", _purge)


def _add(group: argparse._SubParsersAction[Any], name: str, text: str, act: Act) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = group.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    made.add_argument("id", nargs="+", help="12, #12 or memory://item/12")
    made.add_argument("--reason", default="", help="why, for the history")
    common.add_place(made)
    made.set_defaults(command=_each, act=act)
    return made


def _each(options: argparse.Namespace) -> int:
    numbers = [common.number(ref) for ref in options.id]
    memory, scope = common.open_for(options)
    act: Act = options.act
    with memory:
        done = [act(memory, number, scope, options) for number in numbers]
    common.say(options, "\n".join(done), {"done": done})
    return 0


def _forget(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    memory.forget(number, actor=PERSON, session=common.session(), reason=options.reason)
    return f"#{number} is forgotten; `memory restore {number}` takes it back"


def _restore(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    memory.restore(number, actor=PERSON, session=common.session(), reason=options.reason)
    return f"#{number} is back"


def _confirm(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    memory.confirm(number, scope, session=common.session(), reason=options.reason)
    return f"#{number} is confirmed"


def _dispute(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    memory.dispute(number, session=common.session(), reason=options.reason)
    return f"#{number} is disputed and no longer shown"


def _global(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    memory.set_global(number, not options.off, session=common.session(), reason=options.reason)
    return f"#{number} is shown in {'its project only' if options.off else 'every project'}"


def _purge(memory: Memory, number: int, scope: Scope | None, options: argparse.Namespace) -> str:
    from token_saver_memory.maintenance import purge

    copies = purge(memory.connection, memory.path, number, common.session(), options.reason)
    return f"#{number} is erased" + (f", and {copies} older copies of the file" if copies else "")
