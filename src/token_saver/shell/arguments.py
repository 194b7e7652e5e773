"""The arguments of a program: which are options, which are their values, which are operands."""

from __future__ import annotations

from token_saver.shell.options import clusters, takes_value

_TOOLCHAINS = frozenset({"cargo", "rustc", "rustup", "rustfmt", "rustdoc"})
"""Programs whose first word may choose a toolchain: ``cargo +nightly test``."""


class Arguments:
    """``flags`` are option names without values, letters of a cluster also one by one; ``operands`` are all other words."""

    __slots__ = ("_values", "flags", "operands")

    def __init__(self, program: str, args: tuple[str, ...]) -> None:
        flags: list[str] = []
        operands: list[str] = []
        self._values: list[tuple[str, str | None, str | None]] = []
        valued = takes_value(program, "")
        split = clusters(program)
        at = 0
        while at < len(args):
            word = args[at]
            at += 1
            if word == "--":
                operands += args[at:]
                break
            if word[:1] == "+" and program in _TOOLCHAINS and not operands:
                continue
            if len(word) < 2 or word[0] != "-":
                if not operands:
                    valued = takes_value(program, word)
                operands.append(word)
                continue
            name, _, value = word.partition("=")
            flags += _names(name, split)
            following = args[at] if at < len(args) else None
            self._values.append((name, value if "=" in word else None, following))
            if word in valued and following is not None:
                at += 1
        self.flags = frozenset(flags)
        self.operands = tuple(operands)

    def option(self, names: tuple[str, ...]) -> str | None:
        """Return the value of the last option that has one of *names*."""
        for name, value, following in reversed(self._values):
            found = _value(name, value, following, names)
            if found is not None:
                return found
        return None


def _names(name: str, split: bool) -> list[str]:
    """Return *name*, and the letters of ``-rvn`` one by one."""
    if name.startswith("--") or not split or len(name) == 2:
        return [name]
    return [name, *("-" + letter for letter in name[1:])]


def _value(name: str, value: str | None, following: str | None, names: tuple[str, ...]) -> str | None:
    if name in names:
        return value if value is not None else _may_follow(following)
    if name.startswith("--"):
        return None
    for wanted in names:
        if len(wanted) == 2 and wanted[0] == "-" and name.startswith(wanted):
            return name[2:] if value is None else f"{name[2:]}={value}"
        if len(wanted) == 2 and wanted[0] == "-" and value is None and name.endswith(wanted[1]):
            return _may_follow(following)
    return None


def _may_follow(word: str | None) -> str | None:
    """A word that looks like an option is no value, unless it is a number."""
    if word is None or (len(word) > 1 and word[0] == "-" and not word[1:].isdigit()):
        return None
    return word
