"""golangci-lint, staticcheck and revive."""

from __future__ import annotations

from token_saver.processors._linter import Linter


class GolangciLintProcessor(Linter):
    """The first issues of each linter with their source, one of each message before repeats; the rest counted with every file."""

    name = "golangci-lint"
    commands = ("golangci-lint", "staticcheck", "revive", "errcheck", "gosec", "ineffassign")
