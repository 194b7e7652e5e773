"""The contract every tool family fulfils, and the small base on which our own families are built."""

from __future__ import annotations

from token_saver.shell.command_line import CommandLine
from token_saver.text.pieces import merged, render
from token_saver.text.terminal import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from token_saver.diagnostics import Snapshot
    from token_saver.text.pieces import Piece

FALLBACK_NAME = "generic"
FALLBACK_PRIORITY = 999


class Processor:
    """What a tool family promises.

    ``name`` is unique and stable; processors are asked in order of (``priority``, ``name``). ``hook_patterns`` are regular
    expressions, anchored at the start of a command, that tell a host which commands to intercept before they run;
    ``can_handle`` tells, after the run, whether this processor reads the output.

    Optional capabilities, each with a duty: ``handles_failure`` opts into the output of a failed command (otherwise the
    fallback reads it); ``wants_exit_code`` means that ``process`` also takes the keyword ``exit_code``; ``chain_to`` names
    processors that read the result next (bounded, none twice); ``redacted_secrets`` tells whether this call masked
    secrets, so that the result wins whatever its size; ``diagnostics`` returns a snapshot of complete, supported output
    and declines with None.
    """

    name: str = ""
    priority: int = 50
    hook_patterns: Sequence[str] = ()
    handles_failure: bool = False
    wants_exit_code: bool = False
    chain_to: str | Sequence[str] | None = None

    def can_handle(self, command: str) -> bool:
        """Tell whether this processor reads the output of *command*."""
        raise NotImplementedError

    def process(self, command: str, output: str) -> str:
        """Return *output* shortened, or *output* itself to decline."""
        raise NotImplementedError

    def redacted_secrets(self, command: str, output: str) -> bool:
        """Tell whether ``process`` masks secrets in this output."""
        return False

    def diagnostics(self, command: str, output: str, *, exit_code: int | None = None) -> Snapshot | None:
        """Return the diagnostics of complete, supported output; None to decline."""
        return None


class Capture:
    """What one command printed, ready to be read.

    ``text`` is free of terminal control; ``lines`` are its lines without line ends; ``redraws`` counts the progress frames
    that were overwritten; ``exit_code`` is None when the host did not tell.
    """

    __slots__ = ("command", "exit_code", "lines", "redraws", "text")

    def __init__(self, command: CommandLine, output: str, exit_code: int | None, *, line_ends: bool = False) -> None:
        self.command = command
        self.exit_code = exit_code
        self.text, self.redraws = plain(output, line_ends=line_ends)
        self.lines = self.text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()

    @property
    def failed(self) -> bool:
        """Whether the command is known to have failed."""
        return self.exit_code not in (None, 0)

    def part(self, start: int, end: int, command: CommandLine | None = None) -> Capture:
        """Return the lines from *start* to *end* as what *command* printed (default: this capture's own)."""
        text = "\n".join(self.lines[start:end]) + "\n" if start < end else ""
        return Capture(command or self.command, text, self.exit_code)


class Inner:
    """What another command printed inside a capture: its *command* as the output names it, the lines from *start* to *end*."""

    __slots__ = ("command", "end", "start")

    def __init__(self, command: str, start: int, end: int) -> None:
        self.command = command
        self.start = start
        self.end = end


class Family(Processor):
    """A processor that says its commands once, as words, and yields pieces.

    ``commands`` are program names, or a program with subcommand words (``"docker ps"``); ``hook_patterns`` and
    ``can_handle`` follow from them. ``read`` yields a piece for every line of the capture: the engine checks that none
    left the ledger, brings back what matters from folds, and renders the rest. ``is_exact`` says that a document in YAML or
    XML is somebody's source, which is not told in other words. A runner of other commands names them with
    ``inner``; the engine then asks the family of each to read its lines, and the runner for what stands around them.
    """

    commands: tuple[str, ...] = ()
    line_ends = False
    is_exact = False
    handles_failure = True
    wants_exit_code = True

    def __init_subclass__(cls) -> None:
        if "hook_patterns" not in cls.__dict__:
            cls.hook_patterns = tuple(hook_pattern(words) for words in cls.commands)
        cls._programs = frozenset(words.partition(" ")[0] for words in cls.commands)

    _programs: frozenset[str] = frozenset()

    def can_handle(self, command: str) -> bool:
        line = as_command(command)
        return line.program in self._programs and any(line.starts(words) for words in self.commands)

    def process(self, command: str, output: str, exit_code: int | None = None) -> str:
        return "\n".join(render(self.pieces(self.capture(as_command(command), output, exit_code))))

    def capture(self, command: CommandLine, output: str, exit_code: int | None) -> Capture:
        """Return *output* ready to be read by this family."""
        return Capture(command, output, exit_code, line_ends=self.line_ends)

    def pieces(self, capture: Capture) -> list[Piece]:
        """Return the pieces of *capture*: of a document as such, whatever printed it, otherwise what ``read`` yields."""
        return _document(capture) or self._markup(capture) or merged(self.read(capture))

    def _markup(self, capture: Capture) -> list[Piece] | None:
        """Return the pieces of a document in YAML or XML; None where there is none, or where it is read exactly."""
        starts = capture.text[:1] == "<" and capture.text.rstrip()[-1:] == ">"
        if (
            not starts
            and "y" not in capture.command.program
            and "yaml" not in capture.command
            and "config" not in capture.command
        ):
            return None
        from token_saver.text.markup import markup

        return None if self.is_exact else markup(capture)

    def read(self, capture: Capture) -> Iterable[Piece]:
        """Yield a piece for every line of *capture*."""
        raise NotImplementedError

    def inner(self, capture: Capture) -> Sequence[Inner]:
        """Return the other commands whose output stands in *capture*, in order, when its text names them."""
        return ()


def _document(capture: Capture) -> list[Piece] | None:
    if capture.text.lstrip()[:1] not in ("{", "[") or capture.text.rstrip()[-1:] not in ("}", "]"):
        return None
    from token_saver.text.documents import document

    return document(capture.lines)


def as_command(command: str) -> CommandLine:
    """Return *command* as a ``CommandLine``, itself when it is one."""
    return command if isinstance(command, CommandLine) else CommandLine(command)


def hook_pattern(words: str) -> str:
    """Return the anchored pattern for *words*; options may stand between the program and its subcommand."""
    program, *rest = words.split()
    between = r"(?:\s+-\S+(?:\s+[^-\s]\S*)??)*?\s+"
    return "^" + _escape(program) + "".join(between + _escape(word) for word in rest) + r"(?=\s|$)"


def _escape(word: str) -> str:
    return "".join(char if char.isalnum() or char in "_-/" else "\\" + char for char in word)
