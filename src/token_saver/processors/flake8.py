"""flake8, pycodestyle, pyflakes and pydocstyle."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.findings import ERROR, STYLE, WARNING

# https://flake8.pycqa.org/en/latest/user/error-codes.html, https://pycodestyle.pycqa.org/en/latest/intro.html#error-codes
_WRONG = ("E9", "F82", "F7", "F5", "F63", "F40")
_TASTE = ("E1", "E2", "E3", "E5", "W", "D", "I", "Q", "N")


class Flake8Processor(Linter):
    """The first findings of each code with their places, errors before taste; the rest counted by code with every file."""

    name = "flake8"
    commands = ("flake8", "pflake8", "pycodestyle", "pyflakes", "pydocstyle")

    def ranked(self, level: str, rule: str) -> int:
        if rule.startswith(_WRONG) or not rule:
            return ERROR
        return STYLE if rule.startswith(_TASTE) else WARNING
