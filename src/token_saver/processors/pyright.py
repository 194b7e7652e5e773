"""pyright and basedpyright."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules


class PyrightProcessor(Linter):
    """The first findings of each rule with their explanation, errors first; the rest counted by rule with every file."""

    name = "pyright"
    share = 140
    commands = ("pyright", "basedpyright")
    quiet = Rules({r"(?:/|[A-Za-z]:\\)[^:]*\.(?:pyi?|ipynb)$": "file heading"})
