"""Write a recorded case into tests/fixtures, and refuse what would lose knowledge."""

from __future__ import annotations

import json
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.recording.recipe import Recipe, RecordingError

FIXTURES = Path(__file__).resolve().parent.parent.parent / "tests" / "fixtures"


def store(recipe: Recipe, capture: bytes, tool_version: str, system: str, root: Path = FIXTURES) -> bool:
    """Write the case; return whether anything in it changed.

    Raises ``RecordingError`` when a string that has to survive is not in *capture*; nothing is written then.
    """
    folder = root / recipe.family / recipe.case
    old = _known(folder)
    must_survive = list(dict.fromkeys([*recipe.must_survive, *old.get("must_survive", [])]))
    _check(recipe, capture, must_survive)
    case = {
        "command": recipe.command,
        "exit_code": recipe.exit_code,
        "tool": recipe.program,
        "tool_version": tool_version,
        "system": system,
        "recorded": datetime.now(UTC).date().isoformat(),
        "how": recipe.name,
        "must_survive": must_survive,
        "notes": recipe.notes,
    }
    path = folder / "capture.txt"
    if path.exists() and path.read_bytes() == capture and case | {"recorded": ""} == old | {"recorded": ""}:
        return False
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(capture)
    (folder / "case.toml").write_text(_toml(case), encoding="utf-8")
    return True


def _known(folder: Path) -> dict[str, Any]:
    path = folder / "case.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _check(recipe: Recipe, capture: bytes, must_survive: list[str]) -> None:
    gone = [text for text in must_survive if text.encode("utf-8", "surrogateescape") not in capture]
    if gone:
        raise RecordingError(
            f"{recipe.name}: not in the new capture: {', '.join(map(repr, gone))}. Correct must_survive in the recipe and, "
            "when the string is no longer true, delete it by hand in case.toml too. The capture ends with:\n"
            + capture[-2000:].decode(errors="replace")
        )


def _toml(case: dict[str, Any]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in case.items())


def _value(value: object) -> str:
    if isinstance(value, list):
        return "[\n" + "".join(f"    {_value(item)},\n" for item in value) + "]" if value else "[]"
    # A TOML basic string is a JSON string, but for the delete character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
