"""Which words of a program make it worth a closer look: what the fast lane of a hook may not decide about.

A plain command of a known program, with none of these words in it, is what ``command_policy`` would call eligible.
"""

from __future__ import annotations

from token_saver.shell.behaviour import SPECIAL
from token_saver.shell.behaviour_table import TABLE
from token_saver.shell.launchers import unwrap
from token_saver.shell.script import names
from token_saver.shell.wrapping import BUILTINS

ANY = "*"
"""In the place of words: every command of the program is worth a closer look."""

_READ_CLOSELY = {"git": names("-c -- checkout push restore stash")}
"""What ``behaviour`` looks at in a special program; all the others are always looked at."""


_LAUNCHING = ("dlx", "exec", "run", "tool", "x")


def doubts(program: str) -> list[str]:
    """Return the words, options as they are written and subcommands, or ``[ANY]``; a last ``*`` stands for any ending."""
    if program in BUILTINS or (program in SPECIAL and program not in _READ_CLOSELY) or _launches(program):
        return [ANY]
    found = set(_READ_CLOSELY.get(program, ()))
    found.update(word for word in _LAUNCHING if _launches(program, word))
    for row in (row for text in TABLE.values() for row in text.split("\n")):
        words, sign, behind = _split(row)
        if words[:1] != [program]:
            continue
        if sign not in ("?", "="):
            behind = words[1:]
        if not behind:
            return [ANY]
        found.update(behind)
    return sorted(found)


def _split(row: str) -> tuple[list[str], str, list[str]]:
    for sign in ("?", "!", "="):
        words, found, behind = row.partition(f" {sign} ")
        if found:
            return words.split(), sign, behind.split()
    return row.split(), "", []


def _launches(program: str, *words: str) -> bool:
    return bool(unwrap((program, *words, "run", "x", "x")).launcher)
