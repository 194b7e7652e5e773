"""Which strings of an output are worth requiring: its lines of failure, for a person to accept."""

from __future__ import annotations

import re
from typing import NamedTuple

from token_saver.text.critical import critical_lines, is_report

MOST = 20
LEAST_CHARS, MOST_CHARS = 4, 200

_CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b.|[\x00-\x08\x0b-\x1f\x7f]")


class Suggestion(NamedTuple):
    """A string of the output, and whether the present result holds it."""

    string: str
    survives: bool


def suggestions(output: str, result: str, exit_code: int, most: int = MOST) -> list[Suggestion]:
    """Return up to *most* strings of *output*, in order, each once.

    Lines shaped like a report go before lines that only hold a word of failure. Of a command that succeeded only the former
    count, since a listing may hold any word; of one that failed without either, its last line is what there is.
    """
    lines = output.split("\n")
    told = [lines[index] for index in critical_lines(lines) if exit_code or is_report(lines[index])]
    if exit_code and not told:
        told = [line for line in lines if line.strip()][-1:]
    strings = [string for string in dict.fromkeys(map(_longest_plain, told)) if len(string) >= LEAST_CHARS]
    chosen = sorted(range(len(strings)), key=lambda index: (not is_report(strings[index]), index))[:most]
    return [Suggestion(strings[index], strings[index] in result) for index in sorted(chosen)]


def _longest_plain(line: str) -> str:
    """Return the longest part of *line* without terminal control, which stands in the output as it is."""
    return max(_CONTROL.split(line), key=len).strip()[:MOST_CHARS].strip()
