"""Definitions in Python source, by the standard library alone, so that a hash outlives a release of Python.

A syntax tree is written differently by every release; tokens are not. What formatters change is levelled: comments, line
breaks, indentation, quotes, a comma before a closing bracket, the pieces of an f-string.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from keyword import iskeyword
from typing import TYPE_CHECKING

from token_saver_memory.freshness.symbols import Symbol, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_OPENING = ("(", "[", "{")
_CLOSING = (")", "]", "}")
_SKIPPED = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
_SPECIAL = {tokenize.NEWLINE: "\n", tokenize.INDENT: "\t", tokenize.DEDENT: "\b"}


def symbols(source: bytes) -> list[Symbol] | None:
    """Return functions, classes and assigned names of modules and classes; None when *source* is not valid Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
        found = list(tokenize.tokenize(io.BytesIO(source).readline))
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return None
    return list(_defined(tree, "", found))


def _defined(parent: ast.AST, prefix: str, found: list[tokenize.TokenInfo]) -> Iterator[Symbol]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, _Definition):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            yield _symbol(prefix + node.name, node.name, first, node.end_lineno or first, found)
            yield from _defined(node, f"{prefix}{node.name}.", found)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name) and not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                    yield _symbol(prefix + target.id, target.id, node.lineno, node.end_lineno or node.lineno, found)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            yield from _defined(node, prefix, found)


def _symbol(qualified: str, name: str, first: int, last: int, found: list[tokenize.TokenInfo]) -> Symbol:
    return Symbol(qualified, first, last, digest_of(_levelled(found, first, last), name))


def _levelled(found: list[tokenize.TokenInfo], first: int, last: int) -> list[str]:
    """Return the tokens of the lines *first* to *last* without what formatters change."""
    inside = (token for token in found if first <= token.start[0] <= last and token.type not in _SKIPPED)
    kept = _without_last_commas(_spelled(inside))
    while kept and kept[-1] in _SPECIAL.values():
        kept.pop()
    return kept


def _spelled(found: Iterable[tokenize.TokenInfo]) -> Iterator[str]:
    """Yield each token in one spelling; an f-string, which newer releases take apart, as one token."""
    depth, parts = 0, ""
    for token in found:
        kind = tokenize.tok_name[token.type]
        if depth or kind == "FSTRING_START":
            depth += (kind == "FSTRING_START") - (kind == "FSTRING_END")
            parts += token.string
            if not depth:
                yield _string(parts)
                parts = ""
        elif token.type == tokenize.STRING:
            yield _string(token.string)
        else:
            yield _SPECIAL.get(token.type) or token.string


def _without_last_commas(found: Iterable[str]) -> list[str]:
    """Return the tokens without commas before closing brackets, except the one that makes a tuple."""
    kept: list[str] = []
    groups: list[list[int]] = []
    for token in found:
        if token in _OPENING:
            groups.append([bool(kept) and ((kept[-1].isidentifier() and not iskeyword(kept[-1])) or kept[-1] in _CLOSING), 0])
        elif token == "," and groups:
            groups[-1][1] += 1
        elif token in _CLOSING and groups:
            applied, commas = groups.pop()
            if kept[-1] == "," and (commas > 1 or (token == ")") == bool(applied)):
                kept.pop()
        kept.append(token)
    return kept


def _string(text: str) -> str:
    """Return a string literal in one way of quoting; one that is evaluated at run time without its quotes only."""
    try:
        return repr(ast.literal_eval(text))
    except (ValueError, SyntaxError):
        return text.replace('"', "'").replace(" ", "")
