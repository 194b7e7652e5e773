"""The shell prefix of Claude Code (``CLAUDE_CODE_SHELL_PREFIX``): the host starts ``PREFIX 'SHELL TEXT'`` for everything.

For a command of the agent the text has the host's frame around it:

    source …/snapshot-bash-….sh && eval 'CMD' \\< /dev/null && pwd -P >| …-cwd

A single command is captured while the shell carries out the very text that came; of a list each command that prints what a
processor reads gets the wrapper, inside the frame. Hooks and MCP servers are started through the same prefix: whatever is
not such a frame, and whatever is in doubt, takes the place of this process at once, byte for byte.
"""

from __future__ import annotations

import posix
import sys

from token_saver.hosts import wrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

    from token_saver.command_policy import Decision
    from token_saver.hosts.compiled import Compiled
    from token_saver.shell.script import Compound, Pipeline, Simple

_MARKS = ("eval ", "/snapshot-", "pwd -P >| ", "-cwd")
"""What every frame has in it; a text without one of these is not looked at any further."""
_LONGEST = 65_536
_GROUP = "{ shopt -u extglob || setopt NO_EXTENDED_GLOB; } >/dev/null 2>&1 || true && "
"""Stands in the frame of later versions; without it a frame is read without the grammar, which costs a start-up."""
_PREPARING = frozenset({"source", ".", "true", "shopt", "setopt", "unsetopt", "export", "unset", "set"})
_NO_INPUT = ("<", "/dev/null")
_SHELLS = ("bash", "zsh")
_MOST_OF_A_SNAPSHOT = 8 << 20
_ENCODED = "base64 -d"


class Frame:
    """A recognised text: the *command* in it, from where to where the word stands that holds it, the *snapshot* sourced."""

    __slots__ = ("command", "end", "snapshot", "start")

    def __init__(self, command: str, start: int, end: int, snapshot: str) -> None:
        self.command = command
        self.start = start
        self.end = end
        self.snapshot = snapshot


class _Captured(wrapper.Request):
    """A shell text that is carried out as it came, while what it prints is read as the output of *command*."""

    mode = "prefix"

    def __init__(self, shell: str, text: str, command: str) -> None:
        super().__init__(exact=False)
        self.shell = shell
        self.text = text
        self._command = command

    @property
    def label(self) -> str:
        """The agent's command, without the frame."""
        return self._command


def start() -> NoReturn:
    """Be the whole process."""
    posix._exit(main(sys.argv[2:]))


def main(arguments: list[str]) -> int:
    """Carry out what the host asks for and return its status; whatever is not the agent's never returns here."""
    if len(arguments) != 1:
        return wrapper.main(["raw", "--", *arguments])
    text = arguments[0]
    shell = _shell(text)
    request = _attempted(text, shell) if _may_be_a_frame(text) else None
    if not isinstance(request, _Captured):
        wrapper.become([shell, "-c", request or text])
    return wrapper.run(request, exact=False)


def read_frame(text: str) -> Frame | None:
    """Return what stands in the host's frame; None when *text* is anything else."""
    from token_saver.shell.command_line import read_script

    at = text.find("eval ")
    plain = text[:at].replace(_GROUP, "", 1) + text[at:]
    script = read_script(plain)
    if script is None or len(script.items) < 3 or any(separator not in ("&&", "||", "") for _, separator in script.items):
        return None
    *before, (framed, joint), (last, _) = script.items
    evaluating, ending = _only(framed), _only(last)
    if joint != "&&" or evaluating is None or ending is None or not _keeps_directory(ending) or not _evaluates(evaluating):
        return None
    snapshot = _sourced([pipeline for pipeline, _ in before])
    word, shift = evaluating.words[1], len(text) - len(plain)
    return Frame(word.text, word.start + shift, word.end + shift, snapshot) if snapshot else None


def defined(snapshot: str) -> str:
    """Return the definitions in the snapshot file, with those that are written in base64 made readable.

    Raises OSError or ValueError when they cannot be read, so that it is not known what is defined.
    """
    with open(snapshot, "rb") as file:
        text = file.read(_MOST_OF_A_SNAPSHOT).decode("utf-8", "surrogateescape")
    if _ENCODED not in text:
        return "\n" + text
    from binascii import a2b_base64

    decoded = [
        a2b_base64(line.split("'")[1] if "'" in line else line.split()[1]).decode("utf-8", "surrogateescape")
        for line in text.splitlines()
        if _ENCODED in line
    ]
    return "\n".join(["", text, *decoded])


def _may_be_a_frame(text: str) -> bool:
    if len(text) > _LONGEST or not all(mark in text for mark in _MARKS):
        return False
    return not wrapper.is_switched_off() and wrapper.is_captured()


def _attempted(text: str, shell: str) -> _Captured | str | None:
    """Return what to run in the place of *text*; None when it is *text* itself, or when anything of ours fails."""
    try:
        from token_saver.hosts.compiled import Compiled
        from token_saver.hosts.protocol import runs_us

        ours = Compiled(patient=True)
        frame = read_frame(text) if ours.knows(text) else None
        return None if frame is None or runs_us(frame.command) else _asked_for(frame, text, shell, ours)
    except Exception as error:
        from token_saver.hosts import trouble

        trouble.note("prefix", error)
        return None


def _asked_for(frame: Frame, text: str, shell: str, ours: Compiled) -> _Captured | str | None:
    from token_saver.hosts.compiled import is_too_long, started
    from token_saver.shell.command_line import CommandLine
    from token_saver.shell.rewrite import quoted, wrapped

    decision = ours.policy().explain_decision(frame.command)
    if not decision.compressible or decision.script is None:
        return None
    _leave_alone_what_is_defined(decision, frame)
    if not any(part.eligible for part in decision.parts):
        return None
    if len(CommandLine(frame.command).segments) == 1 and _is_captured_whole(decision):
        return _Captured(shell, text, frame.command)
    made = wrapped(frame.command, decision, started(), shell)
    if made is None or is_too_long(made):
        return None
    framed = text[: frame.start] + quoted(made) + text[frame.end :]
    after = read_frame(framed)
    return framed if after is not None and after.command == made and after.snapshot == frame.snapshot else None


def _is_captured_whole(decision: Decision) -> bool:
    """Whether nothing but the one command that speaks prints anything, and nothing that runs on is left behind."""
    from token_saver.command_policy import BUILTIN, UNKNOWN

    return all(part.eligible or part.rule in (BUILTIN, UNKNOWN) for part in decision.parts)


def _leave_alone_what_is_defined(decision: Decision, frame: Frame) -> None:
    """Take the verdict back on every part in which the snapshot gives a word another meaning."""
    from token_saver.command_policy import UNKNOWN

    definitions = defined(frame.snapshot)
    for part in decision.parts:
        if part.eligible and any(_is_defined(word, definitions) for word in _first_words(part.text)):
            part.rule = UNKNOWN


def _is_defined(word: str, definitions: str) -> bool:
    signs = (f"\n{word} ()", f"\n{word}()", f"\nfunction {word} ", f"\nfunction {word}(", f"alias {word}=", f"alias -- {word}=")
    return any(sign in definitions for sign in (*signs, f"alias -- '{word}=", f"alias '{word}="))


def _first_words(text: str) -> Iterator[str]:
    from token_saver.shell.command_line import read_script
    from token_saver.shell.script import Script, Simple, walk

    for command in walk(read_script(text) or Script(())):
        if isinstance(command, Simple) and command.words:
            yield command.words[0].text


def _only(pipeline: Pipeline) -> Simple | None:
    """Return the one plain command of *pipeline*."""
    from token_saver.shell.script import Simple

    command = pipeline.commands[0]
    plain = len(pipeline.commands) == 1 and not pipeline.negated and isinstance(command, Simple) and not command.assignments
    return command if plain and isinstance(command, Simple) and command.words else None


def _keeps_directory(command: Simple) -> bool:
    redirects = [(each.fd, each.operator) for each in command.redirects]
    return (
        [word.raw for word in command.words] == ["pwd", "-P"]
        and redirects == [("", ">|")]
        and command.redirects[0].target.text.endswith("-cwd")
    )


def _evaluates(command: Simple) -> bool:
    texts = [word.text for word in command.words]
    if texts[0] != "eval" or len(texts) < 2 or not command.words[1].literal or not texts[1].strip():
        return False
    redirects = [(each.operator, each.target.text) for each in command.redirects]
    return tuple(texts[2:]) in ((), _NO_INPUT) and redirects in ([], [_NO_INPUT])


def _sourced(before: list[Pipeline]) -> str:
    """Return the path of the snapshot when all that stands before the command only prepares the shell, else ""."""
    from token_saver.shell.script import Script, Simple, walk

    commands = [command for command in walk(Script(tuple((pipeline, "") for pipeline in before))) if _speaks(command)]
    if not all(isinstance(each, Simple) and each.words and each.words[0].text in _PREPARING for each in commands):
        return ""
    found = [
        each.words[1].text
        for each in commands
        if isinstance(each, Simple) and each.words[0].text in ("source", ".") and len(each.words) > 1
    ]
    return found[0] if len(found) == 1 and "/snapshot-" in found[0] else ""


def _speaks(command: Simple | Compound) -> bool:
    """Leave out the braces around other commands; those come by themselves."""
    return getattr(command, "kind", "") not in ("group", "subshell")


def _shell(text: str) -> str:
    """Return the shell that reads *text*: the one whose snapshot it sources, else the user's."""
    users = wrapper.users_shell()
    for name in _SHELLS:
        if f"/snapshot-{name}-" in text and users.rpartition("/")[2] != name:
            for folder in ("/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"):
                if posix.access(f"{folder}/{name}", posix.X_OK):
                    return f"{folder}/{name}"
    return users
