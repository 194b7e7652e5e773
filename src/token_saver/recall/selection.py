"""Which lines of a kept output are wanted. All count from 1 as ``cat -n`` and ``grep -n`` do."""

from __future__ import annotations

import re

from token_saver.errors import InputError

AROUND = 10
"""Lines shown before and behind the one that is asked for."""

_RANGE = re.compile(r"(\d*)([-:]?)(\d*)$")
_HEADING = re.compile(r"(?P<mark>[=_\-*#~>●+─━]{3,}|#{1,6} |●|\[)|(?P<word>\S[^\n]*:)$")


def lines(text: str, wanted: str) -> str:
    """Return the lines ``A-B`` (``A-`` to the end, ``-B`` from the start, ``A`` alone); raises InputError for another range."""
    found = _RANGE.match(wanted)
    first, dash, last = found.groups() if found else ("", "", "")
    if not first and not last:
        raise InputError(f"--lines needs a range such as 10-20, 10- or -20, not {wanted}")
    start = int(first or 1)
    end = int(last) if last else (None if dash else start)
    if start < 1 or (end is not None and end < start):
        raise InputError(f"--lines needs a range that rises from 1, not {wanted}")
    return "".join(_split(text)[start - 1 : end])


def around(text: str, line: int) -> str:
    """Return the line and ``AROUND`` lines on both sides of it; raises InputError for a line below 1."""
    if line < 1:
        raise InputError(f"--around needs a line from 1 on, not {line}")
    split = _split(text)
    return "".join(split[max(0, line - 1 - AROUND) : line + AROUND]) if line <= len(split) else ""


def matching(text: str, pattern: str) -> str:
    """Return the lines in which the regular expression *pattern* is found, each with its number; raises InputError."""
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InputError(f"--grep needs a regular expression: {error}") from error
    return "".join(f"{number}:{line}" for number, line in enumerate(_split(text), 1) if compiled.search(line.rstrip("\n")))


def section(text: str, name: str) -> str:
    """Return the first section whose heading holds *name*, in any case, up to the next heading of its kind or of an outer one.

    A heading is a line that begins with a rule (``===``, ``___``, ``---``), ``#``, ``●`` or a bracket, or an unindented one
    that ends in a colon. Where none holds *name*, it is the paragraph whose first line does.
    """
    split = _split(text)
    kinds = [_kind(line) for line in split]
    wanted = name.casefold()
    for at, kind in enumerate(kinds):
        if kind and wanted in split[at].casefold():
            outer = [known for known in dict.fromkeys(kinds[: at + 1]) if known]
            ending = outer[: outer.index(kind) + 1]
            end = next((later for later in range(at + 1, len(split)) if kinds[later] in ending), len(split))
            return "".join(split[at:end])
    return _paragraph(split, wanted)


def _paragraph(split: list[str], wanted: str) -> str:
    starts = [at for at, line in enumerate(split) if line.strip() and (at == 0 or not split[at - 1].strip())]
    for at in starts:
        if wanted in split[at].casefold():
            end = next((later for later in range(at, len(split)) if not split[later].strip()), len(split))
            return "".join(split[at:end])
    return ""


def _kind(line: str) -> str:
    found = _HEADING.match(line.rstrip())
    if found is None:
        return ""
    return found["mark"][0] if found["mark"] else ":"


def _split(text: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends one, so that numbers are those of ``grep -n``."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
