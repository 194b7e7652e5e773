"""Print the rooms of the package and which imports which, as a Mermaid diagram; arrows that go through others are left out."""

from __future__ import annotations

import sys

import grimp

PACKAGE = "token_saver"
HANDED_ON = ("token_saver.hosts.command", "token_saver.cli")
"""The entry of every process hands on what is no hot command; the one arrow that runs back up."""


def main() -> int:
    """Print the diagram and return 0."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True)
    edges: dict[str, set[str]] = {}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            one, other = _room(module), _room(imported)
            if one and other and one != other and (module, imported) != HANDED_ON:
                edges.setdefault(one, set()).add(other)
    print("graph TD")
    for room in sorted(edges):
        for below in sorted(edges[room] - _reached(edges, room)):
            print(f"    {room} --> {below}")
    return 0


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def _reached(edges: dict[str, set[str]], room: str) -> set[str]:
    """Return what *room* reaches through another room that it imports."""
    seen: set[str] = set()
    waiting = [further for below in edges[room] for further in edges.get(below, ())]
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            waiting += edges.get(each, ())
    return seen


if __name__ == "__main__":
    sys.exit(main())
