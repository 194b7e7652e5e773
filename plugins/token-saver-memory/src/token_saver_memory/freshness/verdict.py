"""Compares an anchor with the code as it is now. What cannot be told is unknown, never fresh."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from token_saver_memory.freshness import explain
from token_saver_memory.freshness.symbols import Symbol, symbols_of
from token_saver_memory.values import Verdict

if TYPE_CHECKING:
    from token_saver_memory.values import Scope

FRESH, CHANGED, MISSING, UNKNOWN = "fresh", "changed", "missing", "unknown"
_GONE = "gone"


class Code:
    """The symbols of the files of one checkout, each file read once."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._read: dict[str, list[Symbol] | str] = {}

    def symbols(self, path: str) -> list[Symbol] | str:
        """Return the symbols of *path*, or why there are none to see (``gone`` when the file does not exist)."""
        if path not in self._read:
            self._read[path] = self._symbols(path)
        return self._read[path]

    def _symbols(self, path: str) -> list[Symbol] | str:
        try:
            with open(os.path.join(self.scope.top, path), "rb") as file:
                source = file.read()
        except (FileNotFoundError, NotADirectoryError):
            return _GONE if os.path.isdir(self.scope.top) else "the checkout is gone"
        except OSError as error:
            return f"{path} cannot be read: {error.strerror}"
        found = symbols_of(source, path)
        return found if found is not None else f"{path} cannot be parsed here"


def state(code: Code, symbol: str, path: str, anchor: str) -> Verdict:
    """Return the verdict on an anchor, without an explanation by git where that needs one."""
    if code.scope.kind != "git" or not anchor:
        return Verdict(UNKNOWN, "not anchored to code" if code.scope.kind == "git" else "no git here")
    found = code.symbols(path)
    if isinstance(found, str):
        return Verdict(MISSING) if found == _GONE else Verdict(UNKNOWN, found)
    same = [one for one in found if one.name == symbol]
    if any(one.digest == anchor for one in same):
        return Verdict(FRESH)
    if same:
        return Verdict(CHANGED)
    renamed = next((one for one in found if one.digest == anchor), None)
    return Verdict(MISSING, f"{symbol} is now {renamed.name}" if renamed else "")


def explained(code: Code, verdict: Verdict, symbol: str, path: str, anchor: str) -> Verdict:
    """Return *verdict* with what git knows about it."""
    if verdict.detail or verdict.state not in (CHANGED, MISSING):
        return verdict
    if verdict.state == CHANGED:
        return Verdict(CHANGED, explain.changed(code.scope.top, path, symbol, anchor))
    gone = code.symbols(path) == _GONE
    return Verdict(MISSING, explain.missing_file(code.scope.top, path) if gone else explain.missing(code.scope.top, path, symbol))
