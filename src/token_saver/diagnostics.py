"""What a run observed, as values that can be compared; pure."""

from __future__ import annotations


class Diagnostic:
    """One finding: a stable *identifier*, a one-line *summary* and the full *detail*."""

    __slots__ = ("detail", "identifier", "summary")

    def __init__(self, identifier: str, summary: str, detail: str) -> None:
        self.identifier = identifier
        self.summary = summary
        self.detail = detail


class Snapshot:
    """A complete run: its *family* and *summary*, its diagnostics, the ids seen to pass, and all other text."""

    __slots__ = ("context", "diagnostics", "family", "passed", "summary")

    def __init__(
        self,
        family: str,
        summary: str,
        diagnostics: tuple[Diagnostic, ...],
        passed: tuple[str, ...] = (),
        context: str = "",
    ) -> None:
        self.family = family
        self.summary = summary
        self.diagnostics = diagnostics
        self.passed = passed
        self.context = context
