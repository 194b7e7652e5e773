"""Print recall and saving on recorded output, by family and by size, beside the first-50 + last-50-lines baseline.

Reads ``tests/fixtures`` and, where it is there, a folder of further captures beside the repository (``make report``). Savings
are told in tokens twice: by the estimate, and exactly where ``rs-bpe`` is installed; each column names its way of counting.
"""

from __future__ import annotations

import json
import pathlib
import sys
import tomllib
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from token_saver import tokens
from token_saver.engine import CompressionEngine
from token_saver.errors import InputError

if TYPE_CHECKING:
    from token_saver.extensions import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
SIZES = ((300, "< 300"), (2_000, "300 to 2k"), (10_000, "2k to 10k"), (10**12, "> 10k"))
GOAL: dict[str, tuple[float, float]] = {"< 300": (90, 100), "300 to 2k": (65, 99.5), "2k to 10k": (35, 99), "> 10k": (8, 98)}
BASELINE_LINES = 50


class Case(NamedTuple):
    """One recorded output: the family it is filed under, and what must survive."""

    family: str
    command: str
    text: str
    exit_code: int | None
    must: tuple[str, ...]


class Row:
    """Sums over cases: how many, strings that must survive and did, sizes before and after, ours and the baseline's.

    Tokens are counted in each of the given ways.
    """

    def __init__(self, counters: list[Tokenizer]) -> None:
        self._counters = counters
        self.tokens_before = [0] * len(counters)
        self.tokens_after = [0] * len(counters)
        self.cases = self.must = self.kept = self.kept_baseline = 0
        self.before = self.after = self.after_baseline = 0

    def add(self, case: Case, result: str, baseline: str) -> None:
        """Count one case."""
        self.cases += 1
        self.must += len(case.must)
        self.kept += sum(_survives(string, result) for string in case.must)
        self.kept_baseline += sum(_survives(string, baseline) for string in case.must)
        self.before += len(case.text)
        self.after += len(result)
        self.after_baseline += len(baseline)
        for index, counter in enumerate(self._counters):
            self.tokens_before[index] += counter.count(case.text)
            self.tokens_after[index] += counter.count(result)

    def add_row(self, other: Row) -> None:
        """Count all cases of *other*."""
        for name in ("cases", "must", "kept", "kept_baseline", "before", "after", "after_baseline"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for index in range(len(self._counters)):
            self.tokens_before[index] += other.tokens_before[index]
            self.tokens_after[index] += other.tokens_after[index]


def main() -> int:
    """Print one table by family and one by size for each source of cases."""
    console = Console(highlight=False, width=140)
    engine = CompressionEngine()
    counters = _counters()
    for title, cases in _sources():
        families: dict[str, Row] = {}
        sizes: dict[str, Row] = {name: Row([]) for _, name in SIZES}
        for case in cases:
            result = engine.compress(case.command, case.text, exit_code=case.exit_code)[0]
            baseline = _baseline(case.text)
            families.setdefault(case.family, Row(counters)).add(case, result, baseline)
            sizes[_size(case.text)].add(case, result, baseline)
        console.print(_table(f"{title}: by family", dict(sorted(families.items())), counters))
        console.print(_table(f"{title}: by size in tokens (characters / 4)", sizes, [], GOAL))
    return 0


def _counters() -> list[Tokenizer]:
    """Return the estimate and, where it is installed, the exact counter."""
    try:
        return [tokens.LinearEstimate(), tokens.ExactCount(tokens.EXACT[0])]
    except InputError as error:
        print(f"no exact counts: {error}", file=sys.stderr)
        return [tokens.LinearEstimate()]


def _sources() -> list[tuple[str, list[Case]]]:
    sources = [("own recordings", _fixtures())]
    for name in ("captures", "public"):
        if (SHARED / name / "index.json").is_file():
            sources.append((name, _indexed(SHARED / name)))
    return sources


def _fixtures() -> list[Case]:
    cases = []
    for path in sorted((ROOT / "tests" / "fixtures").glob("*/*/case.toml")):
        case = tomllib.loads(path.read_text("utf-8"))
        text = (path.parent / "capture.txt").read_bytes().decode("utf-8", "surrogateescape")
        cases.append(Case(path.parts[-3], case["command"], text, case.get("exit_code"), tuple(case["must_survive"])))
    return cases


def _indexed(folder: pathlib.Path) -> list[Case]:
    entries = json.loads((folder / "index.json").read_text("utf-8"))
    return [
        Case(
            entry["family"],
            entry["command"],
            (folder / entry["input"]).read_bytes().decode("utf-8", "surrogateescape"),
            entry.get("exit_code"),
            tuple(entry["must_preserve"]),
        )
        for entry in entries
    ]


def _survives(string: str, result: str) -> bool:
    """Tell whether *string* is still there; blanks may go, since padding is not meaning."""
    return string in result or "".join(string.split()) in "".join(result.split())


def _baseline(text: str) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) <= 2 * BASELINE_LINES:
        return text
    return "".join([*lines[:BASELINE_LINES], "...\n", *lines[-BASELINE_LINES:]])


def _size(text: str) -> str:
    return next(name for most, name in SIZES if len(text) / 4 < most)


def _table(
    title: str, rows: dict[str, Row], counters: list[Tokenizer], goal: dict[str, tuple[float, float]] | None = None
) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for name in (
        "captures",
        "recall %",
        "left %",
        "baseline recall %",
        "baseline left %",
        *(f"saved tokens ({counter.name})" for counter in counters),
        *(["goal left / recall"] if goal else []),
    ):
        table.add_column(name, justify="right")
    total = Row(counters)
    for name, row in rows.items():
        extra = [f"{goal[name][0]} / {goal[name][1]}"] if goal and name in goal else []
        table.add_row(name, *_cells(row), *extra)
        total.add_row(row)
    table.add_row("all", *_cells(total), style="bold")
    return table


def _cells(row: Row) -> list[str]:
    def percent(part: int, whole: int) -> str:
        return f"{100 * part / whole:.1f}" if whole else "-"

    return [
        str(row.cases),
        percent(row.kept, row.must),
        percent(row.after, row.before),
        percent(row.kept_baseline, row.must),
        percent(row.after_baseline, row.before),
        *(_saved(before, after) for before, after in zip(row.tokens_before, row.tokens_after, strict=True)),
    ]


def _saved(before: int, after: int) -> str:
    """Return how many tokens of *before* went, and how many percent that are."""
    return f"{before - after:,} of {before:,} ({100 * (before - after) / before:.1f} %)" if before else "-"


if __name__ == "__main__":
    sys.exit(main())
