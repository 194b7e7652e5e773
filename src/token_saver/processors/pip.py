"""pip, pip-audit, pip-compile and pipx."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager
from token_saver.text import Fold, Recast, Rules, cut, rx
from token_saver.text.columns import tabular
from token_saver.text.listings import Entry, listing, stays_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

PROGRESS = "line of download progress"
_BUILD, _VERBOSE = "step of building", "line of verbose output"
BUILD_NOISE = {
    r" *(?:Installing build dependencies|Checking if build backend supports \w+|Getting requirements to build \w+"
    r"|Preparing (?:editable )?metadata \([\w.]+\)|Building (?:wheel|editable) for \S+ \([\w.]+\))"
    r"(?:: started$|: finished with status 'done'$|: still running\.\.\.$| \.\.\. done$)": _BUILD,
    r"  (?:Created wheel for|Stored in directory:) |Building wheels for collected packages: ": _BUILD,
    r" {4,}(?:copying \S+ -> \S+$|running [a-z_]+$|adding '|creating (?:build|dist|tmp|\S+\.egg-info)\b"
    r"|(?:reading|writing) manifest file "
    r"|writing (?:\S+ to|requirements to|top-level names to|dependency_links to|entry points to) )": "line of build output",
}
_SATISFIED = rx(r"Requirement already satisfied: (\S+) in (\S+)( \(from .*\))?( \([^()]*\))?$")
_VERSIONS = rx(r"(.*\((?:from versions|available versions|from version): |Available versions: )(.{400,}?)(\)?)$")
_NAMED = rx(r"([A-Za-z0-9][\w.-]*)(?:==| +)(\S+)")
_DONE = ("Successfully installed ", "Would install ")
FIRST_VERSIONS, LAST_VERSIONS = 120, 200
MOST_FILES = 40


class PipProcessor(PackageManager):
    """What was installed and why, conflicts and build errors whole; downloads, build steps and known paths are counted."""

    name = "pip"
    commands = ("pip", "pip3", "pip-audit", "pip-compile", "pip-sync", "pipx")
    noise = Rules(
        {
            r" *(?:Downloading|Using cached|Downloaded|Using pip \d|Fetched|File was already downloaded) .*": PROGRESS,
            r"\s+[━╸╺╍#█]{4,}": PROGRESS,
            **BUILD_NOISE,
            r" +Attempting uninstall: | {4}Uninstalling \S+:$": "step of uninstalling",
            r" {6,}(?:Successfully uninstalled|Removing file or directory) ": "step of uninstalling",
            r"\[notice\] |WARNING: You are using pip version|You should consider upgrading via": "notice of a new pip",
            r"WARNING: Running pip as the 'root' user": "warning of running as root",
            r" *note: This (?:error originates from a subprocess|is an issue with the package mentioned above)": "hint",
            r"hint: See above for ": "hint",
            r" +(?:Found link|Skipping link|Link requires a different|Fetching project page|Getting page|Looking up) ": _VERBOSE,
            r" +(?:Request header|Updating cache|Starting new HTTPS?|Created temporary|Created build tracker) ?": _VERBOSE,
            r" +(?:Added .* to build tracker|Removed .* from .* build tracker|(?:Entered|Removed) build tracker)": _VERBOSE,
            r" +(?:\d+ location\(s\) to search|\* https?://|Given no hashes|Response from|Cache hit)": _VERBOSE,
            r" {4}--hash=\w+:[0-9a-f]+ *\\?$": "hash",
        }
    )
    readers = {"list": "listed", "freeze": "listed", "show": "shown"}

    def report(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if any(line.startswith("----") for line in lines[:3]):
            return tabular(lines)
        done = any(line.startswith(_DONE) for line in lines)
        return [_told_below(piece) if done else piece for piece in self.sifted(lines)]

    def shorten(self, line: str) -> str:
        if line.startswith("Requirement already satisfied: "):
            found = _SATISFIED.match(line)
            return line if found is None else f"Requirement already satisfied: {found[1]}{found[3] or ''}{found[4] or ''}"
        return shorter_versions(line)

    def listed(self, capture: Capture) -> Iterable[Piece]:
        """``pip list`` in its table forms and ``pip freeze``."""
        return versions(capture.lines)

    def shown(self, capture: Capture) -> Iterable[Piece]:
        """``pip show``: every field; compiled files are counted, other files stand behind their folder."""
        files: list[str] = []
        for line in capture.lines:
            if files and (_folder(line) != _folder(files[0]) or len(files) == MOST_FILES):
                yield _in_folder(files)
                files = []
            if line.startswith("  ") and line.endswith(".pyc"):
                yield Fold([line], "compiled file", known=True)
            elif _folder(line):
                files.append(line)
            else:
                yield line
        if files:
            yield _in_folder(files)


def _told_below(piece: Piece) -> Piece:
    if isinstance(piece, str) and piece.startswith("Installing collected packages: "):
        return Fold([piece], "list of what is installed below", known=True, told=True)
    return piece


def _folder(line: str) -> str:
    """Return the folder of a file that ``pip show --files`` names; "" for any other line and for compiled files."""
    path = line.strip()
    return line.rpartition("/")[0] if line.startswith("  ") and " " not in path and not path.endswith(".pyc") else ""


def _in_folder(files: Sequence[str]) -> Piece:
    folder = _folder(files[0])
    return Recast(f"{folder}/: {' '.join(line[len(folder) + 1 :] for line in files)}", files)


def shorter_versions(line: str) -> str:
    """Cut the middle out of a long list of versions, at a comma."""
    found = _VERSIONS.match(line) if len(line) > 600 and "ersion" in line else None
    if found is None:
        return line
    start, names, end = found.groups()
    head = len(start) + names.find(", ", FIRST_VERSIONS) + 1
    tail = len(names) - names.rfind(", ", 0, len(names) - LAST_VERSIONS) - 1 + len(end)
    return cut(line, head, tail)


def versions(lines: Sequence[str]) -> list[Piece]:
    """Tell a list of names and versions: an aligned table with a header, or ``name==version`` lines."""
    table = tabular(lines)
    told: list[Piece] = []
    entries: list[Entry] = []
    for piece in table:
        line = _text(piece)
        found = _NAMED.match(line)
        whole = [piece] if isinstance(piece, str) else piece.lines
        if found is None or len(whole) > 1:
            told.append(piece)
        else:
            entries.append(Entry(whole, line, found[1], found[2], slim=line[: found.end()]))
    return table if stays_whole(entries) else [*told, *listing(entries)]


def _text(piece: Piece) -> str:
    return piece if isinstance(piece, str) else piece.text if isinstance(piece, Recast) else ""
