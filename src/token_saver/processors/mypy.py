"""mypy, dmypy and stubtest."""

from __future__ import annotations

from token_saver.processors._linter import Linter


class MypyProcessor(Linter):
    """The first errors of each code, each message before repeats, notes beside them; the rest counted with their places."""

    name = "mypy"
    share = 140
    commands = ("mypy", "dmypy", "stubtest")
    whole = 2
