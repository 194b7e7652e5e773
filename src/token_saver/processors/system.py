"""Kernel settings, environments and what a machine says of itself."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.tables import read_tables
from token_saver.text import allowance, rx
from token_saver.text.inventory import Item, inventory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.text.pieces import Piece

_INTERNAL = (
    *("debug.", "dev.", "security.", "vfs."),
    *("net.ipv6.conf", "net.ipv4.conf", "net.ipv4.neigh", "net.ipv6.neigh"),
)
LARGE = 40_000
_ASKED_FOR = ("net.ipv4.", "net.core.", "hw.", "machdep.cpu.", "kern.os", "kernel.os", "kern.host", "kernel.host", "kern.version")
_SETTING = rx(r"(?P<name>[\w.*/%\[\]:-]+?)(?: = |: |=)")


class SysctlProcessor(Family):
    """Settings by depth: the short names with their values, of the deeper ones how many there are below each name."""

    name = "sysctl"
    priority = 46
    commands = ("sysctl",)

    def read(self, capture: Capture) -> Iterable[Piece]:
        lines = capture.lines
        if len(capture.text) <= allowance(len(capture.text)):
            return lines
        chars = len(capture.text)
        budget = max(allowance(chars), chars * 3 // 10 if chars <= LARGE else 0)
        return inventory(_settings(lines), budget, "setting", 0.85)


def _settings(lines: Sequence[str]) -> list[Item]:
    """Rank settings by how few parts their names have, and by how many of their name there are."""
    names = [_name(line) for line in lines]
    sizes: dict[str, int] = {}
    for name in names:
        above = _above(name)
        sizes[above] = sizes.get(above, 0) + 1
    return [_setting(line, name, sizes[_above(name)]) for line, name in zip(lines, names, strict=True)]


def _setting(line: str, name: str, siblings: int) -> Item:
    depth = name.count(".") * 10 + min(siblings, 200) // 20 + 15 * name.startswith(_INTERNAL)
    if not name:
        return Item(line, line, [("", "")])
    depth -= 6 * (name.startswith(_ASKED_FOR) and name.count(".") <= 2)
    above, _, last = name.rpartition(".")
    return Item(line, line, [(above, last), (".".join(name.split(".")[:2]), "")], max(1, 90 - depth))


def _name(line: str) -> str:
    found = _SETTING.match(line)
    return found.group("name") if found is not None else ""


def _above(name: str) -> str:
    return name.rpartition(".")[0]


class SystemProcessor(Family):
    """Names and values as they are; tables keep exceptional rows and names."""

    name = "system"
    priority = 47
    commands = (
        *("uname", "id", "lscpu", "crontab", "uptime", "hostnamectl", "timedatectl", "lspci", "lsusb", "dmidecode"),
        *("ulimit", "getent", "groups", "date", "locale", "nproc", "lshw", "systeminfo", "ipconfig", "ifconfig"),
    )

    def read(self, capture: Capture) -> Iterable[Piece]:
        return read_tables(capture.lines)
