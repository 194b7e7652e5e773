"""Writes the cheap ``token-saver``: a small file that starts the interpreter isolated, straight into ``entry.py``.

The console script that installers write costs half a start-up more: it looks for the site packages and their start-up
files, and imports ``re``.
"""

from __future__ import annotations

import os
import pathlib
import shlex
import sys

OPTIONS = ("-I", "-S", "-X", "utf8")
"""Isolated, without site packages; and in UTF-8, which spares the interpreter the locale."""

_ENTRY = pathlib.Path(__file__).with_name("entry.py")
_FOLDER = '__file__.rsplit("/", 3)[0]'
_LONGEST_FIRST_LINE = 127  # Linux before 5.1 cuts it there (BINPRM_BUF_SIZE)


def write(path: pathlib.Path, interpreter: str = sys.executable) -> None:
    """Write an executable launcher to *path*, in one step. Raises OSError."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_text(content(interpreter), encoding="utf-8")
        beside.chmod(0o755)
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def command(interpreter: str = sys.executable) -> str:
    """Return the shell words that do the same without a launcher, for a host's settings."""
    return shlex.join([interpreter, *OPTIONS, str(_ENTRY)])


def content(interpreter: str) -> str:
    """Return the text of the launcher: Python where the system finds the interpreter by the first line, else a shell script."""
    first = f"#!{interpreter} -ISXutf8"
    if len(first.encode()) <= _LONGEST_FIRST_LINE and not any(map(str.isspace, interpreter)):
        return f"{first}\n{_ENTRY.read_text(encoding='utf-8').replace(_FOLDER, repr(str(_ENTRY.parents[2])))}"
    return f'#!/bin/sh\nexec {command(interpreter)} "$@"\n'
