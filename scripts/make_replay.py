"""Write ``replay/``: the bundled manifest over our own recordings, one included file and one folder of captures a family.

Everything comes from ``tests/fixtures``; a recording that is no UTF-8 is left out, since a replay refuses it. A string that
has to survive is required as it stands; one with padding, or with a path, as a pattern, for padding may go and a listing may name
a folder once and what lies in it after a blank. ``--check`` writes nothing and ends with 1 when
something would change.
"""

from __future__ import annotations

import gzip
import re
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from token_saver.replay.manifest import SCHEMA_VERSION, Case, Manifest, encode

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
TARGET = ROOT / "replay"
MANIFEST = "manifest.json"

_MAY_MOVE = re.compile(r"\s{2}|[\t\n/]")


def main(arguments: Sequence[str]) -> int:
    """Write the folder, or with ``--check`` tell whether it is up to date."""
    wanted = files()
    there = {str(path.relative_to(TARGET)): path for path in TARGET.rglob("*") if path.is_file()}
    changed = sorted(
        {name for name, content in wanted.items() if name not in there or not _same(name, there[name], content)}
        | (there.keys() - wanted.keys())
    )
    if "--check" in arguments:
        if changed:
            print(f"{len(changed)} files of replay/ are not up to date, {changed[0]} first: run scripts/make_replay.py")
        return 1 if changed else 0
    for name in changed:
        if name not in wanted:
            there[name].unlink()
            continue
        (TARGET / name).parent.mkdir(parents=True, exist_ok=True)
        (TARGET / name).write_bytes(gzip.compress(wanted[name], 9, mtime=0) if name.endswith(".gz") else wanted[name])
    print(f"{len(changed)} of {len(wanted)} files of replay/ written")
    return 0


def files() -> dict[str, bytes]:
    """Return the content of every file of the folder by its name; captures as they are before they are packed."""
    made: dict[str, bytes] = {}
    families: dict[str, list[Case]] = {}
    for path in sorted(FIXTURES.glob("*/*/case.toml")):
        raw = (path.parent / "capture.txt").read_bytes()
        if _is_utf8(raw):
            case = _case(path, tomllib.loads(path.read_text(encoding="utf-8")))
            families.setdefault(path.parts[-3], []).append(case)
            made[f"{path.parts[-3]}/{case.input}"] = raw
    for family, cases in families.items():
        made[f"{family}/{MANIFEST}"] = encode(Manifest(schema_version=SCHEMA_VERSION, cases=tuple(cases)))
    includes = tuple(f"{family}/{MANIFEST}" for family in families)
    made[MANIFEST] = encode(Manifest(schema_version=SCHEMA_VERSION, includes=includes))
    return made


def _case(path: Path, stated: dict[str, Any]) -> Case:
    family, name = path.parts[-3:-1]
    strings = stated["must_survive"]
    exit_code = stated.get("exit_code")
    return Case(
        name=f"{family}/{name}",
        command=stated["command"],
        input=f"{name}.txt.gz",
        exit_code=exit_code,
        family=family,
        tool_version=stated["tool_version"],
        recorded=stated["recorded"],
        must_preserve=tuple(string for string in strings if not _MAY_MOVE.search(string)),
        must_preserve_patterns=tuple(_pattern(string) for string in strings if _MAY_MOVE.search(string)),
        max_growth_percent=0,
        no_verdict=bool(exit_code),
    )


def _pattern(string: str) -> str:
    """Return *string* as a pattern in which padding may be shorter and a path may be told folder by folder."""
    words = [re.escape(word).replace("/", "/ ?") for word in string.split()]
    return r"\s*".join(words)


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _same(name: str, path: Path, content: bytes) -> bool:
    """Compare what is inside: packing differs between versions of zlib."""
    raw = path.read_bytes()
    try:
        return (gzip.decompress(raw) if name.endswith(".gz") else raw) == content
    except (OSError, EOFError):
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
