"""The recordings that tests read: our own under ``fixtures/``, and the shared ones where that folder is there."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

FIXTURES = Path(__file__).resolve().parent / "fixtures"
SHARED = Path(__file__).resolve().parent.parent.parent / "shared"


@dataclass(frozen=True)
class Recorded:
    """One recording: what was run, how it ended, what it printed, and what of that has to stay."""

    name: str
    family: str
    command: str
    exit_code: int | None
    path: Path
    must_survive: tuple[str, ...]

    def __str__(self) -> str:
        return self.name

    @cached_property
    def text(self) -> str:
        """What was printed; bytes that are not UTF-8 are lone surrogates."""
        return read(self.path)

    def lost(self, result: str) -> list[str]:
        """Return what had to stay and is not in *result*; blanks inside a string may have gone."""
        flat = "".join(result.split())
        stated = [must for must in self.must_survive if must in self.text]
        return [must for must in stated if must not in result and "".join(must.split()) not in flat]


def read(path: Path) -> str:
    """Return the text of *path* with its line ends and with every byte."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


def write(path: Path, text: str) -> None:
    """Write *text* so that ``read`` returns it."""
    path.write_bytes(text.encode("utf-8", "surrogateescape"))


def own_cases() -> list[Recorded]:
    """Return our own recordings, in order of their names."""
    return [_own(path) for path in sorted(FIXTURES.glob("*/*/case.toml"))]


def _own(path: Path) -> Recorded:
    case = tomllib.loads(path.read_text(encoding="utf-8"))
    family, name = path.parts[-3:-1]
    must = tuple(case["must_survive"])
    return Recorded(f"{family}/{name}", family, case["command"], case["exit_code"], path.with_name("capture.txt"), must)


def shared_captures(folder: str) -> list[Recorded]:
    """Return the recordings below ``../shared/``*folder*; none where the folder is not there."""
    index = SHARED / folder / "index.json"
    if not index.exists():
        return []
    return [
        Recorded(
            f"{folder}/{entry['name']}",
            entry["family"],
            entry["command"],
            entry.get("exit_code"),
            index.parent / entry["input"],
            tuple(entry.get("must_preserve", ())),
        )
        for entry in json.loads(index.read_text(encoding="utf-8"))
    ]
