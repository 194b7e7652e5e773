"""What it means that a command is run again: perhaps that too much of its output was left out.

Of each session and working directory the last command is kept for a while: as hashes of the command and of what it printed,
never as text. The next one *misses* something when it comes within ``SOON``, the answer before left something out, and

* it is the same command and prints the same, and no file that its output names, and none in the
  working directory, was written in between; or
* it is the same command with an option that asks for more, or with a filter behind it (``| grep``, ``| tail``).

The first repeat that prints the same explains itself where it is answered by the difference to the last run: checks are
run again and again. After a
miss the answer is wide, up to the whole masked output, and stays so for as long as the repeats go on.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import StoreError
from token_saver.kept import Bounds, Kept
from token_saver.shell.script import names
from token_saver.text.rx import rx

if TYPE_CHECKING:
    from token_saver.shell.command_line import CommandLine

FILE = "repeats.sqlite3"
SOON = 120.0
"""Seconds within which a repeat is a sign."""
WIDE = 30_000
"""Characters up to which a wide answer is the whole output; hosts cut what is longer."""

_MOST_FILES = 200
_MOST_ENTRIES = 5000
_DEEPEST = 5
_MADE = names("node_modules __pycache__ target build dist venv vendor coverage htmlcov")
_MORE = names(
    "-v -vv -vvv --verbose -l --showlocals --full-trace --tb=long --tb=auto -rA -ra --no-truncate --show-error-context "
    "--pretty --full --all --output-format=full --stacktrace --info --debug"
)
_TIME = rx(r"\b\d+(?:\.\d+)? ?(?:ms|s|m|secs?|seconds?|minutes?)\b|\b\d+:\d\d:\d\d\b|\b0x[0-9a-f]{6,}\b")
_FILE = rx(r"[\w./@+-]{1,200}\.\w{1,8}\b")


class Asked(NamedTuple):
    """A command that was answered; ``wide`` and ``omitted`` describe the answer.

    ``again``: it printed what the same command had printed just before.
    """

    command: str
    base: str
    printed: str
    wide: bool = False
    again: bool = False
    omitted: bool = False
    family: str = ""


def opened(folder: str) -> Kept:
    """Return the store of what was asked last in *folder*."""
    return Kept(f"{folder}/{FILE}", Bounds(SOON, 1000, one=4096))


def asked(line: CommandLine, masked: str) -> Asked:
    """Return what is remembered of the command *line* that printed *masked*."""
    return Asked(_hash(line), _hash(" ".join(base(line))), _hash(_TIME.sub("", masked)))


def base(line: CommandLine) -> tuple[str, ...]:
    """Return the words of the command without options that ask for more, and without filters."""
    return tuple(word for word in line.words if word not in _MORE)


def asks_for_more(line: CommandLine) -> bool:
    """Tell whether *line* has a filter behind it or an option that asks for more."""
    return bool(line.piped) or not _MORE.isdisjoint(line.words)


def misses(before: Asked, now: Asked, *, more: bool, difference: bool) -> bool:
    """Tell whether *now* asks for something that the answer to *before* left out.

    *more*: it ``asks_for_more``; *difference*: the answer would be the difference to the last run.
    """
    if before.command != now.command:
        return more and before.omitted and before.base == now.base
    if before.printed != now.printed:
        return False
    return before.wide or (before.omitted and (before.again or not difference))


def written_between(text: str, folder: str, since: float, until: float) -> bool:
    """Tell whether a file was written between two moments that *text* names or that lies in *folder*.

    Then a repeat explains itself. So it does where *folder* holds more than can be looked at.
    """
    named = (os.path.join(folder, name) for name in list(dict.fromkeys(_FILE.findall(text)))[:_MOST_FILES])
    if any(since < _written(name) < until for name in named):
        return True
    waiting = [(folder, 0)]
    seen = 0
    while waiting:
        here, depth = waiting.pop()
        for entry in _entries(here):
            seen += 1
            if seen > _MOST_ENTRIES:
                return True
            if entry.is_dir(follow_symlinks=False):
                if depth < _DEEPEST and not entry.name.startswith(".") and entry.name not in _MADE:
                    waiting.append((entry.path, depth + 1))
            elif since < _written(entry.path) < until:
                return True
    return False


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _written(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def remember(kept: Kept, scope: str, now: Asked) -> None:
    """Keep *now* as the last command of *scope*; raises StoreError."""
    kept.add(scope, json.dumps(now).encode())


def last(kept: Kept, scope: str) -> tuple[Asked, float] | None:
    """Return the last command of *scope* and when it was answered; raises StoreError."""
    record = kept.latest(scope)
    if record is None:
        return None
    try:
        return Asked(*json.loads(record.payload)), record.made
    except (ValueError, TypeError) as error:
        raise StoreError("what was asked last is damaged") from error


def widened(masked: str, shown: str) -> str:
    """Return a wide answer: all of *masked*, or both ends of it where it is larger than hosts take."""
    if len(masked) <= WIDE or len(shown) >= WIDE:
        return masked if len(masked) <= WIDE else shown
    from token_saver.text.markers import marker

    lines = masked.splitlines(keepends=True)
    head, tail = _fitting(lines, WIDE // 2), _fitting(lines[::-1], WIDE // 2)
    left = len(lines) - head - tail
    return "".join([*lines[:head], marker([(left, "line", "")]) + "\n", *lines[len(lines) - tail :]]) if left > 0 else shown


def _fitting(lines: list[str], room: int) -> int:
    count = 0
    for line in lines:
        room -= len(line)
        if room < 0:
            break
        count += 1
    return count


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:32]
