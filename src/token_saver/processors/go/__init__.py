"""The go tool: tests (text and JSON), builds, vet and modules; and gotestsum."""

from __future__ import annotations

from token_saver.processor import Family, as_command
from token_saver.processors.generic import reduce
from token_saver.processors.go._events import events
from token_saver.processors.go._tests import read_tests
from token_saver.processors.go._trace import TRACE, frames
from token_saver.text import Rules, rx
from token_saver.text.documents import document
from token_saver.text.findings import report
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.diagnostics import Snapshot
    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_EVENT = rx(r'\{"(?:Time|Action|Package|ImportPath)":')
_QUIET = Rules(
    {
        r"go: (?:downloading|extracting|finding) \S+ v\S+$": "fetched module",
        r"go: added \S+ v\S+$": "added module",
        r"[\w./-]+/[\w./-]+$": "compiled package",
        r"(?:WORK=|mkdir -p |cd |cat >)": "line of trace",
    }
)


class GoProcessor(Family):
    """Failing tests with their output, compile errors, panics with the user's frames; passing tests and packages are counted."""

    name = "go"
    priority = 22
    commands = ("go",)

    def pieces(self, capture: Capture) -> list[Piece]:
        return list(self.read(capture))

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines, command = capture.lines, capture.command
        if command.subcommand == "run":
            return _program(lines)
        if command.subcommand in ("test", "tool"):
            return events(lines) if any(_EVENT.match(line) for line in lines[:5]) else read_tests(lines)
        if command.subcommand in ("env", "list", "doc", "version", "help", "fmt"):
            return (document(lines) or lines) if command.has("-json") else lines
        if command.has("-json"):
            return lines
        return report(located(lines), _QUIET, noun="error", whole=20)

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        from token_saver.processors._observed._go import observe

        return observe(self.capture(as_command(command), output, exit_code))


def _program(lines: list[str]) -> list[Piece]:
    """What the program printed, and the trace at its end."""
    start = next((index for index, line in enumerate(lines) if TRACE.match(line)), len(lines))
    return [*reduce(lines[:start]), *frames(lines[start:])]


class GotestsumProcessor(Family):
    """Each failing test with its output and every rerun; passing tests and packages are counted."""

    name = "gotestsum"
    priority = 22
    commands = ("gotestsum",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        return read_tests(capture.lines)
