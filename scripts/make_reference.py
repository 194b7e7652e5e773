"""Write ``docs/reference/``: the commands, the hooks of plugins and the Python interface, from the code itself.

``--check`` writes nothing and ends with 1 when a page is not what the code says.
"""

from __future__ import annotations

import argparse
import inspect
import os
import pathlib
import sys
from typing import TYPE_CHECKING, Any

import token_saver
from token_saver import cli, errors, events, extensions, hookspecs

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "docs" / "reference"
WIDTH = "100"


def main() -> int:
    """Write or check the pages and return the exit status."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true")
    check = options.parse_args().check
    os.environ["COLUMNS"] = WIDTH
    stale = []
    for name, text in pages().items():
        path = PLACE / name
        if not path.exists() or path.read_text("utf-8") != text:
            stale.append(name)
            if not check:
                PLACE.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
    if check and stale:
        print(f"not what the code says: {', '.join(stale)}; run python scripts/make_reference.py", file=sys.stderr)
    return 1 if check and stale else 0


def pages() -> dict[str, str]:
    """Return the text of each page by its name."""
    return {"cli.md": _commands(), "hooks.md": _hooks(), "python.md": _python()}


def _commands() -> str:
    parts = [
        "# Commands\n\nThis page is made from the parser (`scripts/make_reference.py`).\n",
        f"## Exit statuses\n\n{_paragraphs(cli)[1]}\n",
    ]
    for parser in _parsers(cli.parser()):
        parts.append(f"## {parser.prog}\n\n```text\n{parser.format_help().rstrip()}\n```\n")
    return "\n".join(parts)


def _parsers(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for child in dict.fromkeys(action.choices.values()):
                yield from _parsers(child)


def _hooks() -> str:
    parts = [
        "# Hooks\n\nThis page is made from the code (`scripts/make_reference.py`).\n",
        _formatted(inspect.getdoc(hookspecs) or ""),
        "",
        "## What Token-Saver calls\n",
        *(_function(name, value) for name, value in vars(hookspecs.Hooks).items() if name.startswith("token_saver_")),
        "## What a plugin hands over\n",
        *(_class(value) for value in _own(extensions)),
        "## Events\n",
        _formatted(inspect.getdoc(events) or ""),
        "",
        *(_class(value) for value in _own(events)),
    ]
    return "\n".join(parts)


def _python() -> str:
    parts = [
        "# Python\n\nThis page is made from the code (`scripts/make_reference.py`).\n",
        _formatted(inspect.getdoc(token_saver) or ""),
        "",
        *(_public(name) for name in token_saver.__all__ if name != "__version__"),
        "## Errors\n",
        f"```text\n{inspect.getdoc(errors)}\n```\n",
    ]
    return "\n".join(parts)


def _public(name: str) -> str:
    value: Any = getattr(token_saver, name)
    if inspect.isfunction(value):
        return _function(name, value)
    methods = [
        _function(f"{name}.{each}", member)
        for each, member in vars(value).items()
        if inspect.isfunction(member) and not each.startswith("_") and member.__doc__
    ]
    return "\n".join([f"## {name}\n", f"{inspect.getdoc(value)}\n", *methods])


def _own(module: Any) -> list[type]:
    return [value for value in vars(module).values() if inspect.isclass(value) and value.__module__ == module.__name__]


def _class(value: type) -> str:
    fields = getattr(value, "__annotations__", {})
    listed = "".join(f"* `{name}`: `{kind}`\n" for name, kind in fields.items())
    slots = getattr(value, "__slots__", ())
    listed = listed or "".join(f"* `{name}`\n" for name in slots)
    return f"### {value.__name__}\n\n{_formatted(inspect.getdoc(value) or '')}\n\n{listed}"


def _function(name: str, value: Any) -> str:
    return f"### {name}\n\n```text\n{name}{inspect.signature(value)}\n```\n\n{_formatted(inspect.getdoc(value) or '')}\n"


def _paragraphs(module: Any) -> list[str]:
    return _formatted(inspect.getdoc(module) or "").split("\n\n")


def _formatted(text: str) -> str:
    return text.replace("``", "`")


if __name__ == "__main__":
    sys.exit(main())
