"""cppcheck and clang-tidy."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text import Rules


class CppcheckProcessor(Linter):
    """The first findings of each check with their source, errors first; progress and repeats are counted."""

    name = "cppcheck"
    commands = ("cppcheck", "run-clang-tidy")
    quiet = Rules(
        {
            r"Checking .* \.\.\.$|\d+/\d+ files checked|Checking .*: ": "line of progress",
            r"\d+ warnings? generated\.$|\[\d+/\d+\]": "line of progress",
        }
    )
