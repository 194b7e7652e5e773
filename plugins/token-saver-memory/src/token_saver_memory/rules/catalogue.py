"""Reads the rules, and finds those that a command line is about."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DENY, PRECONDITION, WARN = "deny", "precondition", "warn"
_SEVERITY = {DENY: 0, PRECONDITION: 1, WARN: 2}
_ENDS = frozenset(";&|()\n")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_BEFORE = frozenset({"sudo", "doas", "command", "exec", "time", "nohup", "env", "then", "do", "else", "{", "!"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash"})
_MOST = 20_000
_DEEPEST = 3


class Rule(NamedTuple):
    """One rule; see ``catalogue.toml`` for its fields."""

    name: str
    effect: str
    command: str
    reason: str
    better: str
    unless: str = ""
    needs: str = ""

    def is_about(self, command: str) -> bool:
        """Say whether one simple command falls under the rule."""
        found = re.search(self.command, command, re.IGNORECASE)
        return bool(found) and not (self.unless and re.search(self.unless, command, re.IGNORECASE))


class Catalogue(NamedTuple):
    """The rules, the gravest first, and the commands that fulfil a precondition."""

    rules: tuple[Rule, ...]
    met: Mapping[str, str]


@cache
def catalogue() -> Catalogue:
    """Return the rules that are shipped."""
    with open(os.path.join(os.path.dirname(__file__), "catalogue.toml"), "rb") as file:
        read = tomllib.load(file)
    rules = sorted((Rule(**row) for row in read["rule"]), key=lambda rule: _SEVERITY[rule.effect])
    return Catalogue(tuple(rules), read["met"])


def about(line: str) -> list[Rule]:
    """Return the rules that a command line falls under, the gravest first."""
    commands = list(simple_commands(line))
    return [rule for rule in catalogue().rules if any(map(rule.is_about, commands))]


def fulfilled(line: str) -> list[str]:
    """Return the preconditions that a command line fulfils when it succeeds; to name such a program is not to run it."""
    commands = list(simple_commands(line))
    return [name for name, pattern in catalogue().met.items() if any(re.search(pattern, each) for each in commands)]


def simple_commands(line: str, depth: int = 0) -> Iterator[str]:
    """Yield each simple command of a line as its words joined by spaces; nothing for a line that cannot be read."""
    try:
        lexer = shlex.shlex(line[:_MOST].replace("\\\n", " ").replace("\n", " ; "), posix=True, punctuation_chars=True)
        lexer.commenters = ""
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError:
        return
    current: list[str] = []
    for word in [*words, ";"]:
        if not set(word) <= _ENDS or not word:
            current.append(word)
            continue
        yield from _one(current, depth)
        current = []


def _one(words: list[str], depth: int) -> Iterator[str]:
    while words and (words[0] in _BEFORE or _ASSIGNMENT.match(words[0])):
        words = words[1:]
    if not words:
        return
    program = words[0].rpartition("/")[2]
    if program in _SHELLS and "-c" in words[1:-1] and depth < _DEEPEST:
        yield from simple_commands(words[words.index("-c") + 1], depth + 1)
    yield " ".join([program, *words[1:]])
