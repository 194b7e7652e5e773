"""pylint."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules
from token_saver.text.findings import ERROR, STYLE, WARNING

_RANKS = {"E": ERROR, "F": ERROR, "W": WARNING}


class PylintProcessor(Linter):
    """The first messages of each code, errors before warnings before conventions; the rest counted by code with every file."""

    name = "pylint"
    share = 150
    commands = ("pylint",)
    quiet = Rules({r"\*{5,} Module \S": "module heading", r"-{10,}$": "rule"})

    def ranked(self, level: str, rule: str) -> int:
        return _RANKS.get(rule[:1], STYLE)
