"""Changes in the user's settings file: one line a switch, everything else stays as it is, to the byte."""

from __future__ import annotations

import os
import tempfile
import tomllib
from typing import TYPE_CHECKING

from token_saver.errors import SettingsError
from token_saver.settings import user_file

if TYPE_CHECKING:
    from collections.abc import Mapping


def changed(text: str, switches: Mapping[str, bool]) -> str:
    """Return *text* with *switches* set, each in its line or in a new one before the first table.

    Raises SettingsError when *text* is no TOML, or a switch is written in a way that one line cannot replace.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    _read(text)
    for name, on in switches.items():
        text = _with_line(text, name, f"{name} = {'true' if on else 'false'}")
    read = _read(text)
    if any(read.get(name) is not on for name, on in switches.items()):
        raise SettingsError(f"{', '.join(switches)} cannot be set where they stand; change them by hand")
    return mark + text


def switch(switches: Mapping[str, bool]) -> str:
    """Set *switches* in the user's file, which is made when it is not there, and return its path; raises SettingsError."""
    path = os.path.realpath(user_file())
    try:
        text = _text(path)
        new = changed(text, switches)
        if new != text:
            _replace(path, new)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be changed: {getattr(error, 'strerror', None) or error}") from error
    return path


def _read(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the settings file is not valid TOML: {error}") from error


def _with_line(text: str, name: str, line: str) -> str:
    lines = text.splitlines(keepends=True)
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    tables = (at for at, each in enumerate(lines) if each.lstrip().startswith("["))
    end = next(tables, len(lines))
    for at, each in enumerate(lines[:end]):
        key, equals, _ = each.partition("=")
        if equals and key.strip().strip("\"'") == name:
            lines[at] = line + end_of_line
            return "".join(lines)
    if end and not lines[end - 1].endswith("\n"):
        lines[end - 1] += end_of_line
    lines.insert(end, line + end_of_line)
    return "".join(lines)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def _replace(path: str, text: str) -> None:
    """Write a file beside *path*, with its mode, and move it there."""
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o600
    descriptor, beside = tempfile.mkstemp(dir=folder)
    try:
        with open(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise
