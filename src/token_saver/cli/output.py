"""How commands print: rich for people, stable JSON for programs."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from rich.console import Console

    from token_saver.kept import Kept
    from token_saver.settings import Settings

SCHEMA_VERSION = 1


def console(*, stderr: bool = False) -> Console:
    """Return a console that is plain when the stream is not a terminal."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def print_json(value: dict[str, Any]) -> None:
    """Print one JSON object with the schema version first, non-ASCII as it is."""
    text = json.dumps({"schema_version": SCHEMA_VERSION, **value}, indent=2, ensure_ascii=False)
    write(text + "\n")


def write(text: str) -> None:
    """Write *text* to stdout as UTF-8, with bytes that were no UTF-8 as they came."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


def note(message: str) -> None:
    """Print one message for people on stderr."""
    print(f"token-saver: {message}", file=sys.stderr)


def add_format(command: argparse.ArgumentParser) -> None:
    """Add ``--format text|json``."""
    command.add_argument("--format", choices=("text", "json"), default="text", help="how to print (default: text)")


def effective_settings() -> Settings:
    """Load the settings and name on stderr what was ignored in them."""
    from token_saver.settings import load

    settings = load()
    for problem in settings.problems:
        note(str(problem))
    return settings


def exists(kept: Kept) -> bool:
    """Tell whether anything stands where *kept* has its file; reading alone makes none."""
    import os

    return os.path.lexists(kept.path)


def cleared(kept: Kept) -> int:
    """Delete all records of *kept* and return how many there were; raises StoreError."""
    return kept.clear() if exists(kept) else 0


def age(made: float) -> str:
    """Return how long ago *made* was, in one unit: ``40 s``, ``12 min``, ``3 h``, ``2 d``."""
    import time

    seconds = max(0, int(time.time() - made))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
