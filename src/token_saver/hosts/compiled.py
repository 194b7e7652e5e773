"""What adapters ask of the snapshot: may this command be touched, how is it rewritten, what is shown of its output."""

from __future__ import annotations

import posix
import sys

from token_saver import snapshot
from token_saver.hosts.shorten import effective

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.command_policy import CommandPolicy
    from token_saver.hosts.shorten import Shortener
    from token_saver.shell.command_line import CommandLine

_DEEPEST = 3
_WHOLE = 1 << 20
"""Bytes of an output that a hook, for which a host waits, reads as a whole."""
_ENDS = 8
_CHUNK = 1 << 16
_ONE_ARGUMENT = 100_000
"""Linux takes 131,072 bytes; a host adds a frame around the command."""
_WORD_ENDS = str.maketrans(dict.fromkeys("\"'`\\$(){}[]<>|&;=/@:\n\t", " "))
_VERSION = "0123456789."
_OFF = frozenset({"off", "0", "no", "false"})
ENTRY = __file__.rpartition("/")[0] + "/entry.py"


class Compiled:
    """The snapshot of this user, made anew where it is stale.

    A host waits for a hook, so without *patient* SnapshotError is raised where a new one is not there in a moment.

    ``session`` and ``folder`` are what an event says of itself, "" where that is for the environment and the process to say.
    """

    def __init__(self, *, patient: bool = False) -> None:
        self.place = snapshot.folder(posix.environ)
        found = snapshot.read(self.place)
        if found is None or not found.is_fresh(posix.environ):
            from token_saver.hosts import refresh

            isolated = bool(sys.flags.no_site)
            found = refresh.made_anew(posix.environ, isolated=isolated) if patient else refresh.soon(posix.environ, ENTRY)
        found.extend_path()  # The grammar of the shell, which reads what is not plain, is another distribution.
        self.registry = found
        self.settings = effective(found)
        self._last: Shortener | None = None
        self._disabled = frozenset(self.settings["disabled_processors"])
        self.session = self.folder = ""

    def knows(self, command: str) -> bool:
        """Tell whether some word of *command* is a program that a processor reads; what has none needs no further look."""
        words = command.translate(_WORD_ENDS).split()
        return bool(self.registry.content["asked"]) or any(
            self.registry.knows(word) or self.registry.knows(word.rstrip(_VERSION)) for word in dict.fromkeys(words)
        )

    def wraps_at_once(self, command: str) -> bool:
        """Tell whether *command* is plain and the snapshot alone says that it is eligible as a whole."""
        from token_saver.hosts.decide import WRAP, decide

        return self.settings is self.registry.settings and decide(command, self.registry) == WRAP

    def rewritten(self, command: str) -> str | None:
        """Return *command* with the wrapper where its output can be shortened; None when it is to run as it is."""
        if self.wraps_at_once(command):
            made: str | None = wrapped_whole(command)
        else:
            from token_saver.shell.rewrite import rewrite

            made = rewrite(command, self.policy(), launcher())
        return None if made is None or is_too_long(made) else made

    def policy(self) -> CommandPolicy:
        """Return the policy of what the snapshot lists."""
        from token_saver.command_policy import CommandPolicy

        off = "" if self.settings["enabled"] is not False else "the setting `enabled` is off"
        return CommandPolicy(claims=self._claimed, off=off)

    def shortened(self, command: str, output: str, status: int | None, *, is_reduced: bool = False) -> str | None:
        """Return what to show of *output*, which may be reduced already, None when it is to stay as it is."""
        from token_saver.hosts.shorten import Shortener

        shortener = Shortener(command, self.registry, self.place)
        shortener.session, shortener.folder = self.session, self.folder
        self._last = shortener
        raw, reduced = _read_as(output.encode("utf-8", "surrogatepass"))
        shown = shortener.shown(raw, status, reduced=reduced or is_reduced)  # type: ignore[arg-type]
        if shown is None and reduced:
            shown = raw
        return None if shown is None else shown.decode("utf-8", "surrogatepass")

    def report(self, host: str, mode: str, sizes: tuple[int, int], status: int | None) -> None:
        """Have the *sizes*, of the output and of what is shown, of the last output recorded when the reply is out."""
        last = self._last
        if last is not None:
            from token_saver.hosts.hook import afterwards

            last.host, last.mode = host, mode
            afterwards.append(lambda: last.report_sizes(*sizes, status))

    def report_escape(self, command: str, host: str, session: str, folder: str) -> None:
        """Have it recorded, when the reply is out, that a command asks itself not to be shortened."""
        from token_saver.hosts.hook import afterwards
        from token_saver.recorder import escaped

        afterwards.append(
            lambda: escaped(command, host=host, session=session, cwd=folder, settings=self.settings, registry=self.registry)
        )

    def masked(self, output: str) -> str:
        """Return *output* with its secrets masked, unless the settings say otherwise."""
        if self.settings["redact"] is False:
            return output
        from token_saver.redaction import mask

        return mask(output, frozenset(self.settings["redaction_allowlist"]))[0]

    def _claimed(self, line: CommandLine) -> str:
        """Return the words for which some processor reads *line*, "" when none does."""
        decisions = self.registry.content["decisions"]
        operands = line.operands[:_DEEPEST]
        for count in range(len(operands), -1, -1):
            words = " ".join((line.program, *operands[:count]))
            at = decisions.find(f";{words}=")
            if at >= 0 and self._reads(int(decisions[at + len(words) + 2 : decisions.find(";", at + 1)]), line):
                return words
        return self._asked(line)

    def _reads(self, position: int, line: CommandLine) -> bool:
        row = self.registry.content["processors"][position]
        return row.partition("\t")[0] not in self._disabled and (row.endswith(snapshot.KNOWS) or bool(self._selected(line)))

    def _asked(self, line: CommandLine) -> str:
        """Ask those that want to be asked about every command."""
        return self._selected(line) if self.registry.content["asked"] else ""

    def _selected(self, line: CommandLine) -> str:
        """Return the name of the processor that says itself that it reads *line*, "" when none does."""
        name = self.registry.select(line, self._disabled).name
        return "" if name == self.registry.fallback().name else name


def _read_as(raw: bytes) -> tuple[bytes, bool]:
    """Return what a family is to read of *raw*: of a large output both ends and the failures between them."""
    if len(raw) <= _WHOLE:
        return raw, False
    return reduced(raw[at : at + _CHUNK] for at in range(0, len(raw), _CHUNK))


def reduced(chunks: Iterable[bytes]) -> tuple[bytes, bool]:
    """Return both ends of an output and the failures between them, and whether anything is left out."""
    from token_saver.text.stream import Reducer

    reducer = Reducer(_WHOLE // _ENDS, _WHOLE // _ENDS)
    for chunk in chunks:
        reducer.feed(chunk)
    return b"".join(reducer.finish()), reducer.reduced


def is_too_long(rewritten: str) -> bool:
    """Tell whether a command has become more than one argument of a process can safely be."""
    return len(rewritten.encode("utf-8", "surrogatepass")) > _ONE_ARGUMENT


def wrapped_whole(command: str) -> str:
    """Return a plain command with the wrapper in front of it."""
    return f"{launcher()} run -- {command}"


def launcher() -> str:
    """Return the shell text that starts Token-Saver: its name where PATH has it, so that a person can read what runs."""
    for folder in (snapshot.variable(posix.environ, "PATH") or "").split(":"):
        if folder.startswith("/") and posix.access(folder + "/token-saver", posix.X_OK):
            return "token-saver"
    return started()


def started() -> str:
    """Return the shell text that starts this installation whatever PATH says."""
    from token_saver.hosts.wrapper import quoted

    return " ".join(map(quoted, (sys.executable, "-I", "-S", ENTRY)))


def is_switched_off() -> bool:
    """Tell whether the environment says that nothing is to be touched."""
    return any((snapshot.variable(posix.environ, name) or "").lower() in _OFF for name in ("TOKEN_SAVER", "TOKEN_SAVER_ENABLED"))
