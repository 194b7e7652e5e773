"""apt, apt-get, apt-cache and dpkg."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, gathered, named
from token_saver.text import Fold, Rules, paths, rx
from token_saver.text.listings import WHOLE, Entry, found, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_STEP, _FETCH, _UNPACK = "step", "line of fetching", "line of unpacking"
_DONE = rx(r"(?:Setting up|Removing|Purging configuration files for|Inst|Remv|Purg) (\S+) ")
_UNPACKING = rx(r"Unpacking (\S+) \([^()]*\) \.\.\.$")
_CONFIGURED = rx(r"Conf (\S+) ")
_PLANNED = rx(r"(Inst (\S+)(?: \[\S+\])? \((\S+)) .*\[\S+\]\)(.*)$")
_LISTED = rx(r"([^/\s]+)/(\S+) (\S+) (\S+)(?: (\[.*\]))?$")
_INSTALLED = rx(r"([a-zA-Z?][a-zA-Z?]. ) *(\S+) +(\S+) +(\S+) *(.*)$")
_FOUND = rx(r"(\S+) - (.*)$")
_LEGEND = ("Desired=", "| Status=", "|/ Err?=", "||/ Name", "+++-")
_UNASKED = {
    "Suggested packages:": "line of suggested packages",
    "Recommended packages:": "line of recommended packages",
    "The following packages were automatically installed and are no longer required:": "line of packages no longer required",
    "The following package was automatically installed and is no longer required:": "line of packages no longer required",
}


class AptProcessor(PackageManager):
    """What was set up, removed and not found, lists by name and version; reading, fetching and unpacking are counted."""

    name = "apt"
    commands = ("apt", "apt-get", "apt-cache", "aptitude", "dpkg", "dpkg-query")
    noise = Rules(
        {
            r"(?:Reading package lists|Building dependency tree|Reading state information|Calculating upgrade)\.\.\.": _STEP,
            r"(?:Listing|Sorting|Full Text Search)\.\.\.(?: Done)?$": _STEP,
            r"WARNING: apt(?:-get)? does not have a stable CLI interface": "warning of the CLI interface",
            r"(?:Get|Hit|Ign):\d+ |\d+% \[": _FETCH,
            r"Selecting previously unselected package |\(Reading database |Preparing to unpack ": _UNPACK,
            r"Processing triggers for ": "trigger",
            r"debconf: (?:delaying package configuration|unable to initialize frontend|\(|falling back to)": "line of debconf",
            r"update-alternatives: using \S+ to provide ": "alternative",
            r"Created symlink ": "symlink",
            r"Extracting templates from packages: ": _STEP,
            r"Use '(?:sudo )?apt autoremove' to remove": "hint",
        }
    )
    readers = {"list": "listed", "search": "searched"}

    def report(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if capture.command.has("-L", "--listfiles"):
            return paths.listing(lines)
        if any(line.startswith("||/ Name") for line in lines[:8]):
            return installed(lines)
        done = {match[1] for match in map(_DONE.match, lines) if match}
        return _planned(gathered(list(_told_elsewhere(self.sifted(lines), done))))

    def listed(self, capture: Capture) -> Iterable[Piece]:
        """``apt list``: every name and version, architecture and the version before as long as there is room."""
        return named(capture.lines, [_listed(line) for line in capture.lines], self.sifted)

    def searched(self, capture: Capture) -> Iterable[Piece]:
        """``apt-cache search``: names, descriptions as long as there is room."""
        rows = [(line, _FOUND.match(line)) for line in capture.lines]
        entries = [Entry([line], line, row[1], "") for line, row in rows if row]
        return [*self.sifted([line for line, row in rows if not row]), *found(entries)]


def _told_elsewhere(pieces: Iterable[Piece], done: set[str]) -> Iterator[Piece]:
    """Fold what another line says with the version (unpacking, configuring, lists of names), and names nobody asked for."""
    heading = ""
    for piece in pieces:
        if not isinstance(piece, str):
            yield piece
        elif piece.startswith("  ") and heading in _UNASKED:
            yield Fold([piece], _UNASKED[heading], known=True)
        elif piece.startswith("  ") and heading.endswith(":") and done.issuperset(piece.replace("*", " ").split()):
            yield Fold([piece], "line of names told below", known=True, told=True)
        else:
            heading = heading if piece.startswith("  ") else piece
            match = _UNPACKING.match(piece) or _CONFIGURED.match(piece)
            noun = _UNPACK if piece.startswith("Unpacking") else "package to configure"
            yield Fold([piece], noun, known=True, told=True) if match and match[1] in done else piece


def _planned(pieces: Sequence[Piece]) -> list[Piece]:
    """Tell what a simulation would install by name and versions when there is no room for origins."""
    rows = [(piece, _PLANNED.match(piece)) for piece in pieces if isinstance(piece, str)]
    entries = [Entry([line], line, row[2], row[3], slim=f"{row[1]}){row[4]}") for line, row in rows if row]
    if sum(len(entry.full) + 1 for entry in entries) <= WHOLE:
        return list(pieces)
    planned = {entry.full for entry in entries}
    first = next(at for at, piece in enumerate(pieces) if isinstance(piece, str) and piece in planned)
    after = [piece for piece in pieces[first:] if not (isinstance(piece, str) and piece in planned)]
    return [*pieces[:first], *listing(entries), *after]


def _listed(line: str) -> Entry | None:
    row = _LISTED.match(line)
    return None if row is None else Entry([line], line, row[1], row[3], slim=f"{row[1]}/{row[2]} {row[3]}")


def installed(lines: Sequence[str]) -> list[Piece]:
    """``dpkg -l``: every package with its version, odd states too; the legend goes, descriptions as there is room."""
    legend = [line for line in lines if line.startswith(_LEGEND)]
    rest = [line for line in lines if not line.startswith(_LEGEND)]
    return [Fold(legend, "line of legend", known=True), *named(rest, [_installed(line) for line in rest], list)]


def _installed(line: str) -> Entry | None:
    row = _INSTALLED.match(line)
    if row is None:
        return None
    state, name, version, arch, about = row.groups()
    odd = "" if state.rstrip() == "ii" else f"{state.rstrip()} {name} {version}"
    return Entry([line], f"{state.rstrip()} {name} {version} {arch} {about}".rstrip(), name, version, odd=odd)
