"""gh and glab: pull requests, issues, runs and their logs on the command line."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import reduce
from token_saver.text.columns import tabular
from token_saver.text.diffs import squeeze_diff
from token_saver.text.folders import Rules, allowance
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

# gh run view --log: job, step and time, separated by tabs; a workflow's own log has the time alone.
_LOG = rx(r"(?:(?P<job>[^\t\n]*)\t(?P<step>[^\t\n]*)\t)?\ufeff?(?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z) ?(?P<said>.*)$")
_COMMAND = rx(r"##\[(?P<kind>\w+)\](?P<text>.*)$")
_FINE = rx(r"(?:✓ |\S.*\t(?:pass|success|skipping|skipped|neutral)\t)")
_URL = rx(r"(?P<before>\S.*?)[ \t]+https?://\S+$")
_HINTS = Rules(
    {
        r"(?:For more information about|To see what failed, try|View this run on|To see the full job log, try|"
        r"A new release of gh is available|To upgrade, run|https://github\.com/cli/cli/releases/|"
        r"Refreshing (?:checks|run) status)": "hint",
    }
)
_LISTS = frozenset(("list", "ls", "search", "status"))
_READABLE = frozenset(("json", "format", "jq", "template", "t", "q", "F"))
FEW = 3


class GhProcessor(Family):
    """Failed and pending checks, lists and texts whole; passed checks, hints and routine of logs are counted."""

    name = "gh"
    priority = 37
    commands = ("gh", "glab")

    def read(self, capture: Capture) -> Iterable[Piece]:
        command, lines = capture.command, capture.lines
        if command.has("--help", "--version", "--json", "--jq", "--template", "-q", "-t") or command.subcommand in (
            "help",
            "version",
        ):
            return lines
        if any(line.startswith("diff --git ") for line in lines[:5]):
            return squeeze_diff(lines, allowance(len(capture.text)))
        if sum(1 for line in lines[:200] if _LOG.match(line)) * 2 > min(len(lines), 200):
            return _log(lines)
        verb = command.operands[1] if len(command.operands) > 1 else ""
        if verb == "checks" or command.subcommand == "run":
            return _checks(lines)
        return tabular(lines) if verb in _LISTS and len(lines) > FEW else _texts(lines)


def _texts(lines: Sequence[str]) -> Iterator[Piece]:
    for line in lines:
        noun = _HINTS.noun(line)
        yield Fold([line], noun, known=True) if noun else line


def _checks(lines: Sequence[str]) -> Iterator[Piece]:
    """What did not pass, whole; checks that passed by name, without their addresses."""
    fine = [line for line in lines if _FINE.match(line)]
    for line in lines:
        noun = _HINTS.noun(line)
        if noun:
            yield Fold([line], noun, known=True)
        elif len(fine) > FEW and _FINE.match(line):
            name = line.split("\t")[0].removeprefix("✓ ").split(" in ")[0].strip()
            yield Fold([line], "check that passed or was skipped", known=True, names=name)
        else:
            yield line


def _log(lines: Sequence[str]) -> list[Piece]:
    """Name a job and step where it begins, leave out times; groups and commands of the runner are shown by what they say."""
    shown: list[str] = []
    before = ""
    for line in lines:
        text, before = _said(line, before)
        shown.append(text)
    kept = reduce(shown) if sum(map(len, shown)) > allowance(sum(map(len, lines))) else list(shown)
    pieces: list[Piece] = []
    at = 0
    for piece in kept:
        size = 1 if isinstance(piece, str) else len(piece.lines)
        own = lines[at : at + size]
        pieces.append(_as_read(piece, own))
        at += size
    return pieces


def _as_read(piece: Piece, own: Sequence[str]) -> Piece:
    if isinstance(piece, Fold):
        return Fold(own, piece.noun, known=piece.known, names=piece.names, told=piece.told)
    text = piece if isinstance(piece, str) else piece.text
    if text == "##[endgroup]":
        return Fold(own, "end of a group", known=True)
    return Recast(text, own) if text != own[0] else text


def _said(line: str, before: str) -> tuple[str, str]:
    """Return what a line says without its time, and the job and step it belongs to."""
    found = _LOG.match(line)
    if found is None:
        return line, before
    where = f"{found.group('job')}\t{found.group('step')}" if found.group("job") is not None else ""
    said = found.group("said")
    return (f"{where}\t{said}" if where and where != before else said), where
