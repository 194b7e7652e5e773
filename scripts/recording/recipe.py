"""A recipe: how one case is made, as data."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from scripts.recording.project import Project


class RecordingError(Exception):
    """A recording must not be stored; the message says why."""


def _nothing(project: Project) -> None:
    """Leave the project empty."""


@dataclass(frozen=True)
class Recipe:
    """One case: prepare a project, run ``command`` in it as an agent would have typed it, keep what it printed.

    ``exit_code`` is what the command has to end with for the recording to be the intended one. ``tool`` is the program
    whose version is noted; the first word of the command when empty. ``folder`` is where the command runs, below the
    project. ``terminal`` records on a pseudo-terminal of 120x40 with colours and line ends as a terminal gets them.
    """

    family: str
    case: str
    command: str
    must_survive: tuple[str, ...]
    setup: Callable[[Project], None] = _nothing
    exit_code: int = 0
    tool: str = ""
    folder: str = "."
    terminal: bool = False
    locale: str = "C.UTF-8"
    notes: str = ""

    @property
    def name(self) -> str:
        """The case's folder below tests/fixtures."""
        return f"{self.family}/{self.case}"

    @property
    def program(self) -> str:
        """The program that has to be installed."""
        return self.tool or self.command.split()[0]
