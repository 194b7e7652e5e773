"""The state of a symbol at the time something is remembered about it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from token_saver_memory.freshness import explain
from token_saver_memory.freshness.symbols import language_of, named, symbols_of

if TYPE_CHECKING:
    from token_saver_memory.values import Scope


class Anchor(NamedTuple):
    """*hash* of the tokens of *symbol*, "" where there is nothing to hold on to; *commit* that was checked out.

    *symbol* is the full name within the file, so that another of the same last name never stands in for it.
    """

    hash: str
    commit: str
    lang: str
    symbol: str


def anchor_of(scope: Scope, symbol: str, file_path: str) -> Anchor:
    """Return the anchor of *symbol* in *file_path* (relative to the top); without git there is none."""
    lang = language_of(file_path)
    if not symbol or not file_path or scope.kind != "git":
        return Anchor("", "", lang, symbol)
    try:
        with open(os.path.join(scope.top, file_path), "rb") as file:
            source = file.read()
    except OSError:
        return Anchor("", "", lang, symbol)
    found = named(symbols_of(source, file_path) or (), symbol)
    return Anchor(found[0].digest, explain.head(scope.top), lang, found[0].name) if found else Anchor("", "", lang, symbol)
