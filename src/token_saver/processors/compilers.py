"""C, C++ and Java compilers called by themselves."""

from __future__ import annotations

from token_saver.processors._linter import Linter


class CompilerProcessor(Linter):
    """Errors with their context and notes; of warnings the first of each kind, the rest counted with their places."""

    name = "compiler"
    priority = 25
    commands = ("gcc", "g++", "cc", "c++", "clang", "clang++", "clang-tidy", "javac", "nvcc", "gfortran", "swiftc")
    whole = 3
