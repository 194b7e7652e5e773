"""dnf, yum, zypper and rpm."""

from __future__ import annotations

from token_saver.processors._packages import PackageManager, gathered, named
from token_saver.text import Fold, Recast, Rules, paths, rx
from token_saver.text.columns import squeeze
from token_saver.text.listings import Entry, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_META, _FETCH, _STEP = "line of repository data", "line of download progress", "step of the transaction"
_ARCH = r"(?:x86_64|noarch|i[3-6]86|aarch64|ppc64le|s390x|armv7hl|src)"
_ROW = rx(rf"([\w.+~:-]+\.{_ARCH}) +(\S+) +(\S+)\s*$")
_LONG_NAME = rx(rf"([\w.+~:-]+\.{_ARCH})\s*$")
_WRAPPED = rx(r" {10,}(\S+) +(\S+)\s*$")
_QUERIED = rx(rf"([\w.+~-]+)-([^-\s\d]*\d[^-\s]*-[^-\s]+)\.(?:{_ARCH}|\(none\))$")
_FIELD = rx(r"([A-Z][\w -]{1,18}?) *: *(\S.*)$")
_RULE = rx(r"-+\+-[-+]*$")
_DOING = rx(r"  (?:Installing|Upgrading|Updating|Erasing|Removing|Downgrading|Reinstalling|Cleanup) +: \S+ +\d+/\d+")
_DONE = ("Installed:", "Upgraded:", "Removed:", "Updated:", "Downgraded:", "Reinstalled:")


class RpmProcessor(PackageManager):
    """What was installed, removed and not found, lists by name and version; repository data and progress are counted."""

    name = "rpm"
    commands = ("dnf", "dnf5", "microdnf", "yum", "zypper", "rpm")
    noise = Rules(
        {
            r"Last metadata expiration check: |Updating Subscription Management repositories\.|Loaded plugins: | +: ": _META,
            r"Loading mirror speeds from cached hostfile|Determining fastest mirrors| \* [\w-]+: \S+$": _META,
            r"Setting up Package Sacks|pkgsack time: |Config time: |rpmdb time: |Updating and loading repositories:": _META,
            r"Repositories loaded\.|(?:Loading repository data|Reading installed packages)\.\.\.$": _META,
            r"Uploading Enabled Repositories": _META,
            r"[^|]{1,160}+\| +[\d.]+ ?[kMG]?i?B +[\d:-]{5,}": _META,
            r"Retrieving(?: package)?:? |\(\d+/\d+\): |\[ *\d+/\d+\] .* \d+%": _FETCH,
            r"  (?:Preparing|Running scriptlet|Verifying) +: ": _STEP,
            r"Running transaction(?: check| test)?$|Transaction (?:check|test) succeeded\.?$": _STEP,
            r"=+$": "rule",
            r"Dependencies resolved\.$|Resolving Dependencies$|--> (?:Running transaction check|Finished)|---> Package ": _STEP,
        }
    )

    def report(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if capture.command.program == "rpm" and capture.command.has("-l", "-ql", "--list"):
            return paths.listing(lines)
        if any(_RULE.match(line) for line in lines):
            return self._barred(lines)
        entries = _entries(lines)
        if sum(len(entry.lines) for entry in entries if isinstance(entry, Entry)) > len(lines) // 2:
            plain = [entry if isinstance(entry, str) else "" for entry in entries]
            return named(plain, [None if isinstance(entry, str) else entry for entry in entries], self.sifted)
        listed = any(line.rstrip() in _DONE for line in lines)
        return gathered([_progress(piece) if listed else piece for piece in self.sifted(lines)])

    def shorten(self, line: str) -> str:
        field = _FIELD.match(line)
        return f"{field[1]}: {squeeze(field[2])}" if field else squeeze(line)

    def _barred(self, lines: Sequence[str]) -> list[Piece]:
        """Tell a table of zypper, its cells between bars."""
        rule = next(at for at, line in enumerate(lines) if _RULE.match(line))
        head = [squeeze(cell.strip()) for cell in lines[rule - 1].split("|")] if rule else []
        end = next((at for at in range(rule + 1, len(lines)) if "|" not in lines[at]), len(lines))
        names = Recast("  ".join(head).strip(), lines[max(rule - 1, 0) : rule + 1])
        rows = [_cells(line, head) for line in lines[rule + 1 : end]]
        return [*self.sifted(lines[: max(rule - 1, 0)]), names, *listing(rows), *self.sifted(lines[end:])]


def _progress(piece: Piece) -> Piece:
    """Fold the progress of a package that the list of what was installed names again."""
    line = piece if isinstance(piece, str) else piece.lines[0] if isinstance(piece, Recast) else ""
    return Fold([line], _STEP, known=True, told=True) if _DOING.match(line) else piece


def _entries(lines: Sequence[str]) -> list[Entry | str]:
    """Read rows of ``yum list`` (name.arch, version, repository; a long name on a line of its own) and of ``rpm -qa``."""
    read: list[Entry | str] = []
    for line in lines:
        before = read[-1] if read else ""
        row, wrapped = _ROW.match(line), _WRAPPED.match(line)
        queried = None if row else _QUERIED.match(line)
        if row:
            read.append(Entry([line], f"{row[1]}  {row[2]}  {row[3]}", row[1], row[2]))
        elif wrapped and isinstance(before, str) and _LONG_NAME.match(before):
            name = before.strip()
            read[-1] = Entry([before, line], f"{name}  {wrapped[1]}  {wrapped[2]}", name, wrapped[1])
        elif queried:
            slim = f"{queried[1]}-{queried[2]}"
            read.append(Entry([line], line, queried[1], queried[2], slim=slim))
        else:
            read.append(line)
    return read


def _cells(line: str, head: Sequence[str]) -> Entry:
    cells = [squeeze(cell.strip()) for cell in line.split("|")]
    by_name = dict(zip(head, cells, strict=False))
    version = by_name.get("Available Version") or by_name.get("Version") or ""
    return Entry([line], "  ".join(cells).rstrip(), by_name.get("Name") or line.strip(), version)
