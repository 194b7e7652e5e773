"""What a whole line does to its own shell, as far as a wrapper in the middle of it would notice."""

from __future__ import annotations

from token_saver.shell.script import Compound, Simple, names, walk, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.shell.script import Script

_REDEFINES = names("alias unalias eval enable coproc emulate zmodload hash rehash unhash disable")
_SHAPES_OPTIONS = names("shopt setopt unsetopt")
_HARMLESS_OPTIONS = frozenset("euabhkB")
_HARMLESS_LONG_OPTIONS = names("errexit nounset allexport braceexpand hashall")
_SHOWS_COMMANDS = names("xtrace verbose noexec functrace debug")
_ASSIGNS = names("export declare typeset readonly local")
_TELLS_COMMANDS = names("BASH_COMMAND PIPESTATUS pipestatus FUNCNAME BASH_LINENO DIRSTACK BASH_EXECUTION_STRING ZSH_EVAL_CONTEXT")


class Surroundings:
    """Facts about the line around a command.

    ``hazard`` says why nothing of the line can be wrapped, "" when it can; ``shell_hazard`` why no part of it can be handed
    to another shell; ``pipefail`` that the status of pipelines was redefined. ``functions`` are those that the line defines,
    ``heredocs`` tells that it has here-documents.
    """

    __slots__ = ("functions", "hazard", "heredocs", "pipefail", "shell_hazard")

    def __init__(self, script: Script) -> None:
        self.functions: set[str] = set()
        self.hazard = ""
        self.shell_hazard = ""
        self.pipefail = False
        self.heredocs = False
        for command in walk(script):
            self._look_at_words(command)
            if isinstance(command, Compound):
                if command.kind == "function":
                    self.functions.update(command.names)
            elif command.words:
                self._look_at_command(command)
            elif any(name == "PATH" and "PATH" not in value.names for name, value in command.assignments):
                self._refuse("it replaces the search path")

    def _refuse(self, reason: str) -> None:
        self.hazard = self.hazard or reason

    def _look_at_words(self, command: Simple | Compound) -> None:
        self.heredocs = self.heredocs or any(
            each.operator.startswith("<<") for each in command.redirects if each.operator != "<<<"
        )
        for word in words_of(command):
            for name in word.names:
                if name in _TELLS_COMMANDS:
                    self._refuse(f"it reads ${name}")
                elif name == "_":
                    self.shell_hazard = "it reads $_"

    def _look_at_command(self, command: Simple) -> None:
        program = command.words[0].text
        args = [word.text for word in command.words[1:]]
        if program in _REDEFINES:
            self._refuse(f"{program} may change what the words after it mean")
        elif program == "exec" and (not args or command.redirects):
            self._refuse("exec redirects the whole shell")
        elif program == "ulimit":
            self._refuse("ulimit would limit the wrapper as well")
        elif program == "trap" and "DEBUG" in args:
            self._refuse("trap shows the commands")
        elif program in _SHAPES_OPTIONS:
            self.shell_hazard = f"{program} changes how the shell reads words"
        elif program == "set":
            self._look_at_options(args)
        elif program in _ASSIGNS or program == "unset":
            self._look_at_exports(command)

    def _look_at_options(self, args: list[str]) -> None:
        for letter, name in _options(args):
            if letter in ("x", "v", "n", "t") or name in _SHOWS_COMMANDS:
                self._refuse("set shows the commands as they run")
            elif name == "pipefail":
                self.pipefail = True
            elif letter not in _HARMLESS_OPTIONS and name not in _HARMLESS_LONG_OPTIONS:
                self.shell_hazard = "set changes how the shell works"

    def _look_at_exports(self, command: Simple) -> None:
        for word in command.words[1:]:
            name, assigned, _ = word.text.partition("=")
            if name == "PATH" and (command.words[0].text == "unset" or (assigned and "PATH" not in word.names)):
                self._refuse("it replaces the search path")


def _options(args: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the options of ``set``: the letter of ``-e``, or ("o", the long name)."""
    rest = iter(args)
    for word in rest:
        if word == "--" or word[:1] not in ("-", "+"):
            return
        for letter in word[1:]:
            yield (letter, next(rest, "") if letter == "o" else letter)
