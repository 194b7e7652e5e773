"""Run real commands of this repository and show their output raw and shortened, side by side (``make demo``)."""

from __future__ import annotations

import pathlib
import subprocess
import sys

from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from token_saver.engine import CompressionEngine, Result
from token_saver.settings import load

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMMANDS = (
    ["git", "log", "-12"],
    ["git", "log", "--stat", "-3"],
    [sys.executable, "-m", "pytest", "-v", "tests/text"],
    [sys.executable, "-m", "pip", "list"],
    ["grep", "-rn", "def ", "src/token_saver/text"],
    ["find", "src", "-name", "*.py"],
)
SHOWN_LINES = 14
PLAIN_WIDTH = 150


def main() -> int:
    """Show every command and, last, what was saved in all."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=PLAIN_WIDTH)
    engine = CompressionEngine(settings=load(str(ROOT), {}))
    results = [_show(console, engine, command) for command in COMMANDS]
    before = sum(result.original_len for result in results)
    after = sum(result.compressed_len for result in results)
    console.print(f"In all: {before:,} characters became {after:,}; {1 - after / max(before, 1):.0%} less to read.")
    return 0


def _show(console: Console, engine: CompressionEngine, command: list[str]) -> Result:
    label = " ".join("python" if word == sys.executable else word for word in command)
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    raw = done.stdout.decode("utf-8", "surrogateescape")
    result = engine.run(label, raw, done.returncode)
    saved = 1 - result.compressed_len / max(result.original_len, 1)
    grid = Table.grid(expand=True, padding=(0, 1))
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(
        Panel(_excerpt(raw), title=f"raw, {result.original_len:,} characters"),
        Panel(_excerpt(result.output), title=f"shortened, {result.compressed_len:,} characters"),
    )
    dropped = ", ".join(f"{count} × {noun}" for count, noun in _summed(result)) or "nothing"
    console.print(f"[bold]$ {label}[/]  (exit status {done.returncode}, read by {result.processor}, {saved:.0%} saved)")
    console.print(grid)
    console.print(f"left out, and marked in place: {dropped}\n", markup=False)
    return result


def _excerpt(text: str) -> Text:
    lines = text.splitlines()
    more = [f"(this demo shows {SHOWN_LINES} of {len(lines)} lines)"] if len(lines) > SHOWN_LINES else []
    return Text("\n".join([*lines[:SHOWN_LINES], *more]), no_wrap=True, overflow="ellipsis")


def _summed(result: Result) -> list[tuple[int, str]]:
    sums: dict[str, int] = {}
    for count, noun in result.omissions:
        sums[noun] = sums.get(noun, 0) + count
    return [(count, noun) for noun, count in sums.items()]


if __name__ == "__main__":
    sys.exit(main())
