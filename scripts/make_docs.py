"""Write the generated parts of the documentation, or check that they are fresh.

    python scripts/make_docs.py settings|redaction [--check]

A page is prose with a generated part between ``<!-- begin generated: NAME -->`` and ``<!-- end generated -->``.
With ``--check`` nothing is written; the status is 1 when a page is stale, and the difference goes to stderr.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "src"))

from token_saver.redaction.shapes import KINDS  # noqa: E402
from token_saver.settings_keys import KEYS, LOWER, RAISE, Key  # noqa: E402

END = "<!-- end generated -->"
PROJECT = {RAISE: "may raise it", LOWER: "may lower it", "": "no"}


def settings() -> str:
    """Return the table of settings."""
    rows = ["| key | type | default | allowed | project file | meaning |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join(rows + [_settings_row(key) for key in KEYS.values()])


def _settings_row(key: Key) -> str:
    project = "may switch it off" if key.kind is bool and key.project == LOWER else PROJECT[key.project]
    cells = (f"`{key.name}`", _type(key), f"`{_toml(key.default)}`", _allowed(key), project, key.help)
    return "| " + " | ".join(cells) + " |"


def _type(key: Key) -> str:
    return {bool: "boolean", int: "integer", float: "number", str: "string", tuple: "list of strings"}[key.kind]


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _allowed(key: Key) -> str:
    if key.kind not in (int, float):
        return ""
    between = f"{key.low:,.15g} to {key.high:,.15g}"
    return between if key.off is None else f"{between}; {key.off}: no limit"


def redaction() -> str:
    """Return the kinds of secrets with a shape of their own."""
    return ", ".join(f"`{kind}`" for kind in sorted(KINDS)) + "."


PARTS: dict[str, tuple[str, Callable[[], str]]] = {
    "settings": ("docs/configuration.md", settings),
    "redaction": ("docs/redaction.md", redaction),
}
"""Each generated part: its page, and what makes it."""


def fresh(page: str, name: str, made: str) -> str:
    """Return the text of *page* with the part *name* replaced by *made*."""
    begin = f"<!-- begin generated: {name} -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(END)
    return f"{before}{begin}\n{made}\n{END}{after}"


def main() -> int:
    """Write or check one part; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=sorted(PARTS))
    parser.add_argument("--check", action="store_true", help="change nothing; fail when the page is stale")
    options = parser.parse_args()
    relative, make = PARTS[options.part]
    path = ROOT / relative
    page = path.read_text(encoding="utf-8")
    made = fresh(page, options.part, make())
    if options.check and page != made:
        sys.stderr.writelines(difflib.unified_diff(page.splitlines(True), made.splitlines(True), relative, "fresh"))
        return 1
    if not options.check:
        path.write_text(made, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
