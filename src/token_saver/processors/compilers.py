"""C, C++, Fortran, Java and Swift compilers and linkers called by themselves."""

from __future__ import annotations

from token_saver.processor import as_command
from token_saver.processors._linter import Linter
from token_saver.text.compiled import compiled
from token_saver.text.folders import Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.text.findings import Item


class CompilerProcessor(Linter):
    """Errors with their source and notes; of warnings the first of each kind, the rest counted with their places."""

    name = "compiler"
    priority = 25
    commands = (
        *(
            "gcc",
            "g++",
            "cc",
            "c++",
            "clang",
            "clang++",
            "clang-tidy",
            "javac",
            "nvcc",
            "gfortran",
            "swiftc",
            "kotlinc",
            "scalac",
        ),
        *("ld", "cl", "link", "icx", "emcc", "em++"),
    )
    whole = 3
    quiet = Rules({r"Note: \S.* uses? (?:deprecated|unchecked)|Note: Recompile with -Xlint": "hint"})

    def items(self, lines: Sequence[str]) -> list[Item]:
        return compiled(lines)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._compilers import observe

        return observe(self.capture(as_command(command), output, exit_code))
