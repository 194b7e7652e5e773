"""From what was asked for (``name``, ``Class.name``, ``path:name``, ``path:line``) to definitions."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from token_saver.errors import InputError
from token_saver_navigator.project import inside

if TYPE_CHECKING:
    from token_saver_navigator.index import Index
    from token_saver_navigator.resolution import Definition, Resolver


def find(index: Index, resolver: Resolver, asked: str) -> list[Definition]:
    """Return every definition that *asked* means; raises InputError, with what is near or gone, when there is none."""
    asked = asked.strip()
    if not asked:
        raise InputError("a name is needed, for example parse_header, Parser.feed or src/app.py:main")
    path, _, rest = asked.rpartition(":") if not asked.endswith(":") else ("", "", asked)
    if path and not path.endswith(":") and ("/" in path or "." in path):
        path = inside(index.root, path)
        found = _at_line(resolver, path, int(rest)) if rest.isdecimal() else _in_file(resolver.of_file(path), rest)
    else:
        found = _in(resolver.named(_last(asked)), asked) or _in_any_case(index, resolver, asked)
    if not found:
        raise InputError(_missing(index, asked))
    return found


def _normal(name: str) -> str:
    return name.replace("::", ".").replace("#", ".").removesuffix("()").strip(".")


def _last(name: str) -> str:
    return _normal(name).rpartition(".")[2]


def _in_file(definitions: list[Definition], asked: str) -> list[Definition]:
    """Return what is named in full, where a file has that, else what _in finds."""
    return [each for each in definitions if each.qualified == _normal(asked)] or _in(definitions, asked)


def _in(definitions: list[Definition], asked: str) -> list[Definition]:
    wanted = _normal(asked)
    found = [each for each in definitions if each.qualified == wanted or each.qualified.endswith("." + wanted)]
    return found or [each for each in definitions if each.name == wanted]


def _in_any_case(index: Index, resolver: Resolver, asked: str) -> list[Definition]:
    names = index.db.execute("SELECT DISTINCT name FROM symbol WHERE name = ? COLLATE NOCASE", (_last(asked),)).fetchall()
    return [each for (name,) in names for each in resolver.named(name)] if "." not in _normal(asked) else []


def _at_line(resolver: Resolver, path: str, line: int) -> list[Definition]:
    around = [each for each in resolver.of_file(path) if each.line <= line <= each.end_line]
    return around[-1:]


def _missing(index: Index, asked: str) -> str:
    name = _normal(asked.rpartition(":")[2])
    gone = index.db.execute("SELECT path, kind FROM gone WHERE name = ? OR name LIKE ?", (name, f"%.{name}")).fetchall()
    if gone:
        where = ", ".join(path for path, _ in gone[:3])
        return f"{asked} is gone: it was a {gone[0][1]} in {where} when that was indexed before, and nothing has that name now"
    names = [
        row[0] for row in index.db.execute("SELECT DISTINCT name FROM symbol WHERE length(name) BETWEEN ? AND ?", _near(name))
    ]
    near = difflib.get_close_matches(_last(name), names[:50_000], n=4)
    hint = f"near it: {', '.join(near)}" if near else "search(words) looks into names, docstrings and bodies"
    return f"no definition of {asked} in {index.coverage().told()}; {hint}"


def _near(name: str) -> tuple[int, int]:
    length = len(_last(name))
    return max(1, length - 3), length + 3
