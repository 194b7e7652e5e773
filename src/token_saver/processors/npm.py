"""npm, and npx when nothing is known of the program it runs."""

from __future__ import annotations

from token_saver.processors._node import NodeManager
from token_saver.processors._packages import SMALL, gathered
from token_saver.text import Fold, Recast, Rules, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_VERBOSE = "line of verbose output"
_LOG = rx(r"(npm (?:error|ERR!)) A complete log of this run can be found in: *(\S+)$")
_USAGE = rx(r"npm (?:error|ERR!) (?:Usage:|Options:)$")
_USAGE_END = rx(r'npm (?:error|ERR!) Run "npm help|npm (?:error|ERR!) A complete log')
_DEPRECATED = rx(r"npm (?:warn|WARN) deprecated (\S+): ")
_ENGINE = rx(r"npm (?:warn|WARN) EBADENGINE +")
_OWNER = rx(r"\s*(?:\w+ )*@?[^@\s]+@\".*\" from (@?[^@\s]+)@\S*$|(@?[^@\s]+)@\S+(?: \w+)*$")
_DEPENDENT = rx(r" *(?:Depends on vulnerable versions of |node_modules/|fix available via `npm audit fix`$)")
FEW = 5


class NpmProcessor(NodeManager):
    """Counts, warnings, errors, trees with names and versions; funding, notices, usage and repeated packages are counted."""

    name = "npm"
    commands = ("npm", "npx")
    banner = rx(r"> |npm (?:warn|WARN|notice) ")
    closing = rx(r"npm (?:error|ERR!|notice)")
    noise = Rules(
        {
            r"\d+ packages? (?:is|are) looking for funding$|  run `npm fund` for details$": "line of funding",
            r"npm notice *(?:New (?:major|minor|patch) version of npm|Changelog: |$)": "notice of a new npm",
            r"npm notice *(?:Run npm install -g npm|To update run: )": "notice of a new npm",
            r"Run `npm audit` for details\.$": "hint",
            r"npm (?:http|sill|silly|verb|verbose|timing|info) ": _VERBOSE,
            r"npm (?:error|ERR!) (?:gyp )?(?:verb|info) ": _VERBOSE,
        }
    )

    def verb(self, capture: Capture) -> str:
        return capture.command.subcommand if capture.command.program == "npm" else "exec"

    def report(self, capture: Capture) -> Iterable[Piece]:
        if self.verb(capture) == "audit":
            pieces = self.sifted(capture.lines)
            return gathered([_dependent(piece) for piece in pieces]) if len(capture.text) > SMALL else pieces
        if self.verb(capture) in ("explain", "why"):
            return explained(capture.lines)
        return super().report(capture)

    def tree(self, lines: Sequence[str]) -> list[Piece]:
        said = next((at for at, line in enumerate(lines) if line.startswith("npm ")), len(lines))
        return [*super().tree(lines[:said]), *self.sifted(lines[said:])]

    def sifted(self, lines: Sequence[str]) -> list[Piece]:
        pieces: list[Piece] = []
        rest: list[str] = []
        for part in _parts(lines):
            if isinstance(part, str):
                rest.append(part)
                continue
            pieces += super().sifted(rest)
            pieces.append(part)
            rest = []
        return gathered([*pieces, *super().sifted(rest)])

    def shorten(self, line: str) -> str:
        found = _LOG.match(line) if line.startswith("npm ") else None
        return f"{found[1]} log: {found[2]}" if found else line


def _parts(lines: Sequence[str]) -> list[Piece]:
    """Put together what npm says in several lines: the usage of a command, deprecated packages, unsupported engines."""
    parts: list[Piece] = []
    deprecated = 0
    index = 0
    while index < len(lines):
        line = lines[index]
        end = index + 1
        if line.startswith("npm ") and _USAGE.match(line):
            end = _until(lines, end, _is_usage)
            parts.append(Fold(lines[index:end], "line of usage", known=True))
        elif line.startswith("npm ") and _ENGINE.match(line) and line.rstrip().endswith("{"):
            end = _until(lines, end, _is_engine)
            parts.append(_engine(lines[index:end]))
        else:
            found = _DEPRECATED.match(line) if line.startswith("npm ") else None
            deprecated += found is not None
            many = found is not None and deprecated > FEW
            parts.append(Fold([line], "deprecated package", known=True, names=found[1]) if found and many else line)
        index = end
    return parts


def _until(lines: Sequence[str], start: int, belongs: Callable[[str], bool]) -> int:
    while start < len(lines) and belongs(lines[start]):
        start += 1
    return start


def _is_usage(line: str) -> bool:
    return line.startswith("npm ") and not _USAGE_END.match(line)


def _is_engine(line: str) -> bool:
    return _ENGINE.match(line) is not None and not line.rstrip().endswith("{")


def _engine(lines: Sequence[str]) -> Piece:
    """Tell a package that asks for another engine on one line."""
    words = [lines[0].rstrip(), *(_ENGINE.sub("", line).strip() for line in lines[1:])]
    return Recast(" ".join(words), lines)


def _dependent(piece: Piece) -> Piece:
    if isinstance(piece, str) and _DEPENDENT.match(piece):
        return Fold([piece], "line of dependents and places", known=True)
    return piece


def explained(lines: Sequence[str]) -> list[Piece]:
    """``npm explain``: a place that is node_modules and the name before it goes without saying; half the indentation."""
    told: list[list[str]] = []
    for line in lines:
        owner = _OWNER.match(told[-1][0]) if told else None
        if owner and line.strip() == f"node_modules/{owner[1] or owner[2]}":
            told[-1].append(line)
        else:
            told.append([line])
    even = all(_indent(line) % 2 == 0 for line in lines) and len(told) < len(lines)
    return [Recast(" " * (_indent(own[0]) // (2 if even else 1)) + own[0].lstrip(" "), own) for own in told]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
