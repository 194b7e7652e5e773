"""The fast lane of a hook: what can be said about a command without reading it as a shell does.

Most commands are plain: a program and its words. Whether one is known, and none of its words worth a closer look, stands in
the snapshot; everything else is for ``command_policy``, which says the same about what this lane decides (a test holds
them to it).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.snapshot import Snapshot

PASS = "pass"
"""No processor reads any of it: it runs as it was typed."""
WRAP = "wrap"
"""It is eligible as a whole: ``token-saver run --`` can stand in front of it."""
CLOSER = "closer"
"""It must be read closely."""

_SYNTAX = frozenset("|&;<>()$`\\\"'{}[]*?!#~^\n\r\t")
_WORD_ENDS = str.maketrans(dict.fromkeys("|&;<>()$`\\\"'{}[]=/\n\r\t", " "))
_OURS = frozenset({"TOKEN_SAVER", "token-saver", "wrap.py", "shell_prefix.py"})


def decide(command: str, registry: Snapshot) -> str:
    """Return PASS, WRAP or CLOSER for a command, with the settings of the snapshot."""
    if registry.content["asked"] or registry.settings["disabled_processors"] or registry.settings["enabled"] is False:
        return CLOSER
    if not any(map(registry.knows, command.translate(_WORD_ENDS).split())):
        return PASS
    program, *words = command.split(" ")
    if "=" in program or "" in words or not _SYNTAX.isdisjoint(command) or not command.isascii():
        return CLOSER
    program = program.rpartition("/")[2]
    return WRAP if registry.claims(program, words) and not _is_doubtful(registry.doubts(program), words) else CLOSER


def _is_doubtful(doubts: list[str], words: list[str]) -> bool:
    """Tell whether any word, any option without its value, or any letter of ``-rvn`` is worth a closer look."""
    if "*" in doubts:
        return True
    endings = tuple(doubt[:-1] for doubt in doubts if doubt.endswith("*"))
    for word in words:
        letters = [f"-{letter}" for letter in word[1:]] if word[:1] == "-" and word[:2] != "--" else []
        looked_at = {word, word.partition("=")[0], word.rpartition("/")[2], *letters}
        if not looked_at.isdisjoint(doubts) or not looked_at.isdisjoint(_OURS) or (endings and word.startswith(endings)):
            return True
    return "--version" in words
