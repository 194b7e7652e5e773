"""Write ``docs/processors/``: a page per family from its docstring, its commands and its recorded cases.

    python scripts/make_family_pages.py [--check]

With ``--check`` nothing is written; the status is 1 when a page is stale, missing or left over.
"""

from __future__ import annotations

import argparse
import inspect
import pathlib
import sys
import tomllib
from typing import NamedTuple

from token_saver.engine import CompressionEngine
from token_saver.plugins import builtin_processors
from token_saver.processor import Family, Processor
from token_saver.settings import load

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "processors"
FIXTURES = ROOT / "tests" / "fixtures"
SHOWN_CASES = 4
SHOWN_LINES = 24
SHOWN_WIDTH = 140


class Case(NamedTuple):
    """One recorded case: where it is, what was run, and the text before and after."""

    name: str
    command: str
    exit_code: int | None
    before: str
    after: str
    must: int

    @property
    def saved(self) -> float:
        """The share of characters that is gone."""
        return 1 - len(self.after) / len(self.before) if self.before else 0.0


def main() -> int:
    """Write or check all pages; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a page is stale")
    check = parser.parse_args().check
    pages = made()
    stale = [name for name, text in pages.items() if _read(PAGES / name) != text]
    extra = [path.name for path in PAGES.glob("*.md") if path.name not in pages]
    if check:
        for name in [*stale, *extra]:
            print(f"docs/processors/{name} is stale; run: python scripts/make_family_pages.py", file=sys.stderr)
        return 1 if stale or extra else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    for name in stale:
        (PAGES / name).write_text(pages[name], encoding="utf-8")
    for name in extra:
        (PAGES / name).unlink()
    return 0


def made() -> dict[str, str]:
    """Return every page by file name, the index among them."""
    processors = sorted(builtin_processors(), key=lambda processor: processor.name)
    cases = _cases()
    pages = {f"{processor.name}.md": _page(processor, cases.get(processor.name, [])) for processor in processors}
    pages["index.md"] = _index(processors, cases)
    return pages


def _cases() -> dict[str, list[Case]]:
    """Run every recorded case and gather the cases by the processor that read them."""
    engine = CompressionEngine(settings=load(str(ROOT), {}))
    found: dict[str, list[Case]] = {}
    for path in sorted(FIXTURES.glob("*/*/case.toml")):
        about = tomllib.loads(path.read_text("utf-8"))
        before = (path.parent / "capture.txt").read_bytes().decode("utf-8", "replace")
        result = engine.run(about["command"], before, about.get("exit_code"))
        if result.changed:
            name = f"{path.parts[-3]}/{path.parts[-2]}"
            case = Case(name, about["command"], about.get("exit_code"), before, result.output, len(about["must_survive"]))
            found.setdefault(result.processor, []).append(case)
    return found


def _page(processor: Processor, cases: list[Case]) -> str:
    summary = (inspect.getdoc(type(processor)) or "").partition("\n\n")[0].replace("\n", " ")
    words = ", ".join(f"`{word}`" for word in processor.commands) if isinstance(processor, Family) else ""
    parts = [
        f"# {processor.name}",
        summary,
        f"Reads: {words or 'any command that no other family reads'}.",
        f"Asked in order of priority: {processor.priority}.",
    ]
    for case in _telling(cases):
        parts += [f"## {_title(case)}", _about(case), "Before:", _excerpt(case.before), "After:", _excerpt(case.after)]
    if not cases:
        parts.append("No recording of ours is read by this family yet.")
    return "\n\n".join(parts) + "\n"


def _telling(cases: list[Case]) -> list[Case]:
    """Choose cases that show something: failing runs and large savings first, no two of one size of saving."""
    ordered = sorted(cases, key=lambda case: (not case.exit_code, -case.saved, case.name))
    failing = [case for case in ordered if case.exit_code][: SHOWN_CASES // 2]
    others = [case for case in ordered if case not in failing and not case.exit_code]
    return failing + others[: SHOWN_CASES - len(failing)]


def _title(case: Case) -> str:
    return case.name.partition("/")[2].replace("-", " ")


def _about(case: Case) -> str:
    status = "unknown" if case.exit_code is None else case.exit_code
    strings = "1 string that must survive does" if case.must == 1 else f"{case.must} strings that must survive do"
    return f"`{case.command}`, exit status {status}: {case.saved:.0%} of {len(case.before):,} characters saved, {strings}."


def _excerpt(text: str) -> str:
    lines = [_printable(line) for line in text.splitlines()]
    if len(lines) > SHOWN_LINES + 4:
        half = SHOWN_LINES // 2
        lines = [*lines[:half], f"(this page leaves out {len(lines) - SHOWN_LINES} lines here)", *lines[-half:]]
    return "````text\n" + "\n".join(lines) + "\n````"


def _printable(line: str) -> str:
    line = "".join(char if char.isprintable() or char == "\t" else "�" for char in line)
    return (line if len(line) <= SHOWN_WIDTH else line[:SHOWN_WIDTH] + " (cut on this page)").rstrip()


def _index(processors: list[Processor], cases: dict[str, list[Case]]) -> str:
    rows = ["| family | commands | cases | saved |", "| --- | --- | --- | --- |"]
    for processor in processors:
        mine = cases.get(processor.name, [])
        before = sum(len(case.before) for case in mine)
        saved = f"{1 - sum(len(case.after) for case in mine) / before:.0%}" if before else ""
        words = ", ".join(processor.commands) if isinstance(processor, Family) else ""
        rows.append(f"| [{processor.name}]({processor.name}.md) | {words or 'any other'} | {len(mine)} | {saved} |")
    head = "# Families\n\nOne page a family, made from its code and its recorded cases.\n\n"
    return head + "\n".join(rows) + "\n"


def _read(path: pathlib.Path) -> str:
    try:
        return path.read_text("utf-8")
    except FileNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
