"""Definitions in other languages, with the grammars for tree-sitter that are installed (the navigator brings them)."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

from token_saver_memory.freshness.symbols import Symbol, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRIES = {
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "php": ("tree_sitter_php", "language_php"),
}
_DEFINES = ("definition", "declaration", "_item", "declarator", "_spec", "class", "module", "method", "function")
_MOST_DEPTH = 60


def symbols_in(source: bytes, language: str) -> list[Symbol] | None:
    """Return the named definitions of *source*; None without a grammar or when a part of it does not parse."""
    parser = _parser(language)
    if parser is None:
        return None
    root = parser.parse(source).root_node
    return None if root.has_error else list(_defined(root, "", 0))


@cache
def _parser(language: str) -> Any:
    module, entry = _ENTRIES.get(language, (f"tree_sitter_{language}", "language"))
    try:
        import tree_sitter

        return tree_sitter.Parser(tree_sitter.Language(getattr(importlib.import_module(module), entry)()))
    except (ImportError, AttributeError, ValueError):
        return None


def _defined(node: Any, prefix: str, depth: int) -> Iterator[Symbol]:
    if depth > _MOST_DEPTH:
        return
    for child in node.named_children:
        name = _name(child)
        if name:
            first, last = child.start_point[0] + 1, child.end_point[0] + 1
            yield Symbol(prefix + name, first, last, digest_of(_tokens(child), name))
        yield from _defined(child, f"{prefix}{name}." if name else prefix, depth + 1)


def _name(node: Any) -> str:
    """Return the name that *node* defines, "" when it defines none."""
    if not any(sign in node.type for sign in _DEFINES):
        return ""
    named = node.child_by_field_name("name")
    declarator = node.child_by_field_name("declarator") if named is None and node.type == "function_definition" else None
    while declarator is not None:
        named, declarator = declarator, declarator.child_by_field_name("declarator")
    return named.text.decode("utf-8", "replace") if named is not None else ""


def _tokens(node: Any) -> Iterator[str]:
    if "comment" in node.type:
        return
    if node.child_count == 0 or "string" in node.type:
        yield node.text.decode("utf-8", "replace")
        return
    for child in node.children:
        yield from _tokens(child)
