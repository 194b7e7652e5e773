"""Puts the wrapper into a command line, and proves that nothing else changed.

    cd web && npm test; git status   →   cd web && token-saver run -- npm test; token-saver run -- git status
    pytest -q 2>&1 | tail -30        →   token-saver run -c 'pytest -q 2>&1 | tail -30'

The shell still runs the list, so that ``cd``, ``export``, ``||`` and exit statuses mean what they meant.
"""

from __future__ import annotations

from token_saver.shell.command_line import read_script
from token_saver.shell.script import Compound, Simple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from token_saver.shell.script import Pipeline, Script, Word
    from token_saver.shell.wrapping import Wrapping

    class Part(Protocol):
        """A pipeline that was judged."""

        @property
        def eligible(self) -> bool:
            """Whether it may be wrapped."""

        @property
        def wrapping(self) -> Wrapping | str:
            """How it can be, or why it cannot."""

    class Decision(Protocol):
        """A line that was judged."""

        @property
        def parts(self) -> Sequence[Part]:
            """Its pipelines."""

        @property
        def compressible(self) -> bool:
            """Whether any of them may be touched."""

        @property
        def script(self) -> Script | None:
            """Its reading."""

    class Policy(Protocol):
        """Whatever judges a line."""

        def explain_decision(self, command: str) -> Decision:
            """Return the verdict."""


def rewrite(command: str, policy: Policy, launcher: str = "token-saver", shell: str = "") -> str | None:
    """Return *command* with its eligible pipelines behind ``LAUNCHER run``; None when it is to run as it was typed.

    *launcher* is shell text, one or more words. *shell* is the path of the shell that runs the command; where it is not
    given, the wrapper takes the user's own for the texts it is handed.
    """
    decision = policy.explain_decision(command)
    if not decision.compressible or decision.script is None:
        return None
    return wrapped(command, decision, launcher, shell)


def wrapped(command: str, decision: Decision, launcher: str = "token-saver", shell: str = "") -> str | None:
    """Return *command* as ``rewrite`` does, for a *decision* that was made before."""
    found = [part.wrapping for part in decision.parts if part.eligible and not isinstance(part.wrapping, str)]
    if not found or decision.script is None:
        return None
    found.sort(key=_position)
    before_words = f"{launcher} run -- "
    before_text = f"{launcher} run --shell {quoted(shell)} -c " if shell else f"{launcher} run -c "
    made = _put_in(command, found, before_words, before_text)
    after = read_script(made)
    wanted = _Outline(command, found, before_words, before_text)
    return made if after is not None and _Outline(made).of(after) == wanted.of(decision.script) else None


def quoted(text: str) -> str:
    """Return *text* as one word for a shell."""
    return "'" + text.replace("'", "'\\''") + "'"


def _put_in(command: str, found: Sequence[Wrapping], before_words: str, before_text: str) -> str:
    made: list[str] = []
    at = 0
    for each in found:
        made.append(command[at : each.start])
        if each.text:
            made += [before_text, quoted(command[each.start : each.end])]
            at = each.end
        else:
            made.append(before_words)
            at = each.start
    return "".join([*made, command[at:]])


def _position(wrapping: Wrapping) -> int:
    return wrapping.start


class _Outline:
    """Writes down everything of a reading of *source* but its positions, with the wrappers of *found* where they belong."""

    def __init__(self, source: str, found: Sequence[Wrapping] = (), before_words: str = "", before_text: str = "") -> None:
        self.source = source
        self.words_at = {each.start for each in found if not each.text}
        self.text_up_to = {each.end: each for each in found if each.text}
        self.before_words = _raw_words(before_words)
        self.before_text = _raw_words(before_text)

    def of(self, script: Script) -> list[object]:
        """Return the outline of *script*."""
        return [(self._of_pipeline(pipeline), separator) for pipeline, separator in script.items]

    def _of_pipeline(self, pipeline: Pipeline) -> object:
        whole = self.text_up_to.get(pipeline.end)
        if whole is None or whole.start < pipeline.start:
            return pipeline.negated, pipeline.joints, [self._of_command(command) for command in pipeline.commands]
        first = pipeline.commands[0]
        in_front = [word.raw for word in first.words if word.end <= whole.start] if isinstance(first, Simple) else []
        words = [*in_front, *self.before_text, quoted(self.source[whole.start : whole.end])]
        return pipeline.negated, (), [([], words, [])]

    def _of_command(self, command: Simple | Compound) -> object:
        redirects = [(each.fd, each.operator, each.target.raw) for each in command.redirects]
        if isinstance(command, Compound):
            heads = [word.raw for word in command.words]
            return command.kind, command.names, heads, [self.of(body) for body in command.bodies], redirects
        return [(name, value.raw) for name, value in command.assignments], self._of_words(command.words), redirects

    def _of_words(self, words: Sequence[Word]) -> list[str]:
        written: list[str] = []
        for word in words:
            if word.start in self.words_at:
                written += self.before_words
            written.append(word.raw)
        return written


def _raw_words(text: str) -> list[str]:
    """Return the words of *text* as they are typed; none when it is not words alone."""
    script = read_script(text) if text else None
    if script is None or len(script.items) != 1 or len(script.pipelines[0].commands) != 1:
        return []
    return [word.raw for word in script.pipelines[0].commands[0].words]
