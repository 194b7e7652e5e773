"""mypy, dmypy and stubtest."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Linter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.diagnostics import Snapshot


class MypyProcessor(Linter):
    """The first errors of each code, each message before repeats, notes beside them; the rest counted with their places."""

    name = "mypy"
    share = 140
    commands = ("mypy", "dmypy", "stubtest")
    whole = 2

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._mypy import observe

        return observe(self.capture(as_command(command), output, exit_code))
