"""hadolint and dockerfilelint-like tools."""

from __future__ import annotations

from token_saver.processors._linter import Linter


class HadolintProcessor(Linter):
    """The first findings of each code, errors before warnings; the rest counted by code with their places."""

    name = "hadolint"
    commands = ("hadolint",)
