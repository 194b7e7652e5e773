"""May a command be touched, and why: one evaluator for the yes or no, for the explanation and for the rewriting.

The verdict follows from the structure of the line. Every pipeline of it is judged by itself; some things (a wrapper that is
there already, ``TOKEN_SAVER=off``, an output that the line keeps in a file and works on) decide for all of it. A policy
never approves a command: it says what Token-Saver would do with the output if the host runs it.
"""

from __future__ import annotations

from token_saver.shell.behaviour import behaviour
from token_saver.shell.behaviour_table import ENDLESS, FOR_PROGRAMS, INTERACTIVE, IRREVERSIBLE, PRIVILEGED, QUIET, RUNS_CODE
from token_saver.shell.command_line import CommandLine, read_script
from token_saver.shell.filters import producer, unsafe_filter
from token_saver.shell.launchers import unwrap
from token_saver.shell.script import Compound, Simple, names, walk, words_of
from token_saver.shell.surroundings import Surroundings
from token_saver.shell.wrapping import BUILTINS, wrapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from token_saver.shell.script import Pipeline, Redirect, Script, Word
    from token_saver.shell.wrapping import Wrapping
    from token_saver.text.rx import Rx

ELIGIBLE = "eligible"
EMPTY = "empty"
UNREADABLE = "not understood"
OFF = "switched off"
RECURSION = "wrapped already"
KEPT = "kept in a file"
TO_FILE = "to a file"
PIPED = "to another program"
BACKGROUND = "background"
CONSTRUCT = "construct"
REDIRECTION = "redirection"
SUBSTITUTION = "substitution"
BUILTIN = "shell builtin"
UNKNOWN = "no processor"

REASONS = {
    ELIGIBLE: "a processor reads its output",
    EMPTY: "there is no command",
    UNREADABLE: "the line cannot be read with certainty",
    OFF: "Token-Saver is switched off",
    RECURSION: "it runs Token-Saver itself",
    KEPT: "the line keeps this output in a file and goes on with it",
    TO_FILE: "its output goes to a file",
    PIPED: "its output goes to another program",
    BACKGROUND: "it runs in the background",
    CONSTRUCT: "it is a loop, a function or another construct that is left whole",
    REDIRECTION: "it redirects in a way that is not understood",
    SUBSTITUTION: "it holds a substitution that does more than read a little",
    BUILTIN: "the shell carries it out itself",
    UNKNOWN: "no processor reads its output",
    INTERACTIVE: "it talks to a terminal",
    ENDLESS: "it streams or never ends",
    PRIVILEGED: "a privileged command is not handed to another program",
    IRREVERSIBLE: "what it does cannot be undone, so the host is to ask as it always does",
    RUNS_CODE: "an option or a variable makes it run other code",
    FOR_PROGRAMS: "its output is in a format for programs",
    QUIET: "there is nothing to gain",
}

_READERS = names("basename cat cut dirname echo grep head ls nproc printf pwd realpath rg seq sort tail tr uname wc which whoami")
_READING_GIT = names("describe diff for-each-ref log ls-files merge-base rev-list rev-parse show status")
_WRITES = names("-o --output")
_OURS = names("token-saver wrap.py shell_prefix.py")
_OFF_WORDS = names("TOKEN_SAVER=off TOKEN_SAVER=0 TOKEN_SAVER=no TOKEN_SAVER=false")
_OUTPUT = names("> >> >| &> &>>")
_NESTED = frozenset({"subshell", "group", "if", "case"})
_ISOLATED = frozenset({"subshell", "group"})
_WRITERS = names("cat echo printf tee")
_PATTERN_SPECIAL = frozenset(".^$*+?{}[]\\|()")


class Part:
    """One pipeline and its verdict.

    ``rule`` is the name of what decided and ``reason`` says it in words; ``pattern`` is what claimed the command.
    ``wrapping`` tells where a wrapper can be put, or in words why none can. ``start`` to ``end`` is its place in the line.
    """

    __slots__ = ("end", "pattern", "rule", "start", "text", "wrapping")

    def __init__(
        self, text: str, start: int, end: int, rule: str, pattern: str = "", wrapping: Wrapping | str = "it is not eligible"
    ) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.rule = rule
        self.pattern = pattern
        self.wrapping = wrapping

    @property
    def eligible(self) -> bool:
        """Whether a processor reads the output and nothing speaks against it."""
        return self.rule == ELIGIBLE

    @property
    def reason(self) -> str:
        """The rule in words."""
        return REASONS[self.rule]


class Decision:
    """The verdict on a whole line. ``part`` is the text that decided, ``parts`` are the pipelines with their own verdicts."""

    __slots__ = ("command", "part", "parts", "reason", "rule", "script")

    def __init__(
        self,
        command: str,
        rule: str,
        part: str = "",
        parts: tuple[Part, ...] = (),
        script: Script | None = None,
        reason: str = "",
    ) -> None:
        self.command = command
        self.rule = rule
        self.reason = reason or REASONS[rule]
        self.part = part
        self.parts = parts
        self.script = script

    @property
    def compressible(self) -> bool:
        """Whether any part of the line may be touched."""
        return self.rule == ELIGIBLE


class CommandPolicy:
    """Decides from what the processors claim."""

    def __init__(
        self, patterns: Iterable[str] = (), *, claims: Callable[[CommandLine], str] | None = None, off: str = ""
    ) -> None:
        """Take hook patterns: anchored regular expressions, matched against a command without its launchers and quotes.

        *claims* is asked first: it returns the words that claim a command, "" when none do; a table that answers so costs
        less than patterns. *off* says why nothing is to be touched at all.
        """
        self._patterns = [(_literal_beginning(pattern), pattern) for pattern in patterns]
        self._compiled: dict[str, Rx] = {}
        self._claims = claims
        self.off = off

    def is_compressible(self, command: str) -> bool:
        """Tell whether any part of *command* may be touched."""
        return self.explain_decision(command).compressible

    def explain_decision(self, command: str) -> Decision:
        """Return the verdict on *command* with its reason and the verdicts on its parts."""
        if self.off:
            return Decision(command, OFF, reason=self.off)
        if not command.strip():
            return Decision(command, EMPTY)
        script = read_script(command)
        if script is None:
            return Decision(command, UNREADABLE, command)
        return _Evaluation(self, command, script).decision()

    def pattern_for(self, line: CommandLine) -> str:
        """Return what claims the speaking command of *line*, "" when nothing does."""
        if not line.program or not line.program.isprintable() or " " in line.program:
            return ""
        claimed = self._claims(line) if self._claims is not None else ""
        if claimed:
            return claimed
        text = " ".join(line.words)
        for beginning, pattern in self._patterns:
            if text.startswith(beginning) and self._rx(pattern).match(text):
                return pattern
        return ""

    def _rx(self, pattern: str) -> Rx:
        """Compile a pattern when it is first needed; with a table of claims none is."""
        found = self._compiled.get(pattern)
        if found is None:
            from token_saver.text.rx import rx

            found = self._compiled[pattern] = rx(pattern)
        return found


class _Evaluation:
    """Judges one line."""

    def __init__(self, policy: CommandPolicy, source: str, script: Script) -> None:
        self.policy = policy
        self.source = source
        self.script = script
        self.around = Surroundings(script)

    def decision(self) -> Decision:
        for command in walk(self.script):
            rule = _of_the_whole_line(command)
            if rule:
                return Decision(self.source, rule, self.source[command.start : command.end], script=self.script)
        parts = tuple(self._parts(self.script))
        kept = next((part for part in parts if part.rule == KEPT), None)
        decisive = kept or next((part for part in parts if part.eligible), None) or _most_telling(parts)
        return Decision(self.source, decisive.rule, decisive.text, parts, self.script)

    def _parts(self, script: Script) -> Iterator[Part]:
        for pipeline, separator in script.items:
            first = pipeline.commands[0]
            plain = len(pipeline.commands) == 1 and separator != "&" and not first.redirects
            if plain and isinstance(first, Compound) and first.kind in _NESTED:
                for body in first.bodies:
                    yield from self._parts(body)
            else:
                yield self._part(pipeline, separator)

    def _part(self, pipeline: Pipeline, separator: str) -> Part:
        text = self.source[pipeline.start : pipeline.end]
        rule = BACKGROUND if separator == "&" else self._rule(pipeline)
        pattern = ""
        if not rule:
            speaking = pipeline.commands[producer(pipeline)]
            line = CommandLine.of_command(speaking) if isinstance(speaking, Simple) else CommandLine(text)
            pattern = self.policy.pattern_for(line)
            rule = ELIGIBLE if pattern else UNKNOWN
        if rule != ELIGIBLE:
            return Part(text, pipeline.start, pipeline.end, rule, pattern)
        return Part(text, pipeline.start, pipeline.end, rule, pattern, wrapping(pipeline, self.source, self.around))

    def _rule(self, pipeline: Pipeline) -> str:
        """Return what speaks against touching *pipeline*, "" when nothing does."""
        speaking = producer(pipeline)
        for position, stage in enumerate(pipeline.commands):
            rule = self._of_stage(stage, speaks=position == speaking)
            if rule:
                return rule
        return PIPED if unsafe_filter(pipeline, speaking) is not None else ""

    def _of_stage(self, stage: Simple | Compound, *, speaks: bool) -> str:
        if isinstance(stage, Compound):
            return self._of_construct(stage) if speaks and stage.kind in _ISOLATED else CONSTRUCT
        if any(map(_does_more_than_read, words_of(stage))):
            return SUBSTITUTION
        rule = self._of_redirects(stage)
        if rule:
            return rule
        line = CommandLine.of_command(stage)
        fed = not speaks or any(redirect.operator.startswith("<") for redirect in stage.redirects)
        return (self._of_program(stage, line) if speaks else "") or behaviour(line, fed=fed)

    def _of_construct(self, construct: Compound) -> str:
        """A group that feeds filters is touched as a whole, when nothing in it speaks against that."""
        if any(redirect.operator != ">&" for redirect in construct.redirects):
            return TO_FILE
        parts = [part for body in construct.bodies for part in self._parts(body)]
        bad = next((part.rule for part in parts if part.rule not in (ELIGIBLE, UNKNOWN, BUILTIN)), "")
        return bad or ("" if any(part.eligible for part in parts) else UNKNOWN)

    def _of_redirects(self, command: Simple) -> str:
        for redirect in command.redirects:
            rule = _of_redirect(redirect)
            if rule == TO_FILE and self._is_kept(command):
                return KEPT
            if rule:
                return rule
        return ""

    def _is_kept(self, command: Simple) -> bool:
        """Whether it is the output of a command we know that goes to the file, not a file that is being written by hand."""
        line = CommandLine.of_command(command)
        return line.program not in _WRITERS and bool(self.policy.pattern_for(line)) and len(self.script.items) > 1

    def _of_program(self, command: Simple, line: CommandLine) -> str:
        launch = unwrap([word.text for word in command.words])
        if launch.script is not None:
            inner = self.policy.explain_decision(launch.script)
            bad = next((part.rule for part in inner.parts if part.rule not in (ELIGIBLE, UNKNOWN, BUILTIN)), "")
            return bad or ("" if inner.compressible else inner.rule)
        if "exec" in launch.launcher[:1] or (not launch.launcher and line.program in BUILTINS):
            return BUILTIN
        if not line.program or command.words[0].text in self.around.functions:
            return UNKNOWN
        return ""


def _of_the_whole_line(command: Simple | Compound) -> str:
    """Return what speaks against touching any of the line that *command* is a part of, "" when nothing does."""
    if any(map(_holds_lines, words_of(command))):
        return SUBSTITUTION
    if not isinstance(command, Simple):
        return ""
    if any(f"{name}={value.text}" in _OFF_WORDS for name, value in command.assignments):
        return OFF
    for word in command.words:
        if word.text in _OFF_WORDS:
            return OFF
        if word.text.rpartition("/")[2] in _OURS:
            return RECURSION
    return ""


def _holds_lines(word: Word) -> bool:
    """Whether a here-document stands inside of a word: ``git commit -m "$(cat <<'EOF' …)"`` is somebody's text."""
    commands = [command for script in word.scripts for pipeline in script.pipelines for command in pipeline.commands]
    return any(redirect.operator in ("<<", "<<-") for command in commands for redirect in command.redirects)


def _of_redirect(redirect: Redirect) -> str:
    target = redirect.target
    if redirect.operator in _OUTPUT:
        if target.text != "/dev/null" or not target.literal:
            return TO_FILE
        return "" if redirect.fd == "2" else QUIET
    if redirect.operator == ">&":
        return "" if redirect.fd in ("", "1", "2") and target.text in ("1", "2") else REDIRECTION
    if redirect.operator in ("<<", "<<-") and not target.literal:
        return SUBSTITUTION
    return "" if redirect.operator in ("<", "<<", "<<-", "<<<") and redirect.fd in ("", "0") else REDIRECTION


def _does_more_than_read(word: Word) -> bool:
    return word.raw.startswith(">(") or any(not _reads(command) for script in word.scripts for command in walk(script))


def _reads(command: Simple | Compound) -> bool:
    """Whether a command in a substitution is known to do nothing but read."""
    if not isinstance(command, Simple) or any(_of_redirect(redirect) not in ("", QUIET) for redirect in command.redirects):
        return False
    if not all(word.literal for word in command.words[:1]) or not command.words:
        return False
    line = CommandLine.of_words([word.text for word in command.words])
    known = line.program in _READERS or (line.program == "git" and line.subcommand in _READING_GIT)
    if not known and not _tells(line):
        return False
    return not line.flags & _WRITES and behaviour(line, fed=True) in ("", QUIET, FOR_PROGRAMS)


def _tells(line: CommandLine) -> bool:
    """``command -v x``, ``git branch --show-current``, ``date +%F``: programs that only read when they are asked so."""
    if line.program == "date":
        return not line.flags and all(operand.startswith("+") for operand in line.operands)
    if line.program == "git" and line.subcommand == "branch":
        return line.has("--show-current")
    return line.program == "command" and line.has("-v", "-V")


def _most_telling(parts: tuple[Part, ...]) -> Part:
    """A verdict that says more than that nobody reads the output."""
    return next((part for part in parts if part.rule not in (UNKNOWN, BUILTIN)), parts[-1])


def _literal_beginning(pattern: str) -> str:
    """Return the characters with which every match of *pattern* begins; a cheap test before it is compiled."""
    if not pattern.startswith("^") or "|" in pattern.replace("\\|", "").partition("(")[0]:
        return ""
    end = 1
    while end < len(pattern) and pattern[end] not in _PATTERN_SPECIAL:
        end += 1
    return pattern[1 : end - 1] if pattern[end : end + 1] in ("*", "+", "?", "{") else pattern[1:end]


_PROVIDER = "token_saver.plugins"
"""Where ``default_hook_patterns`` is found. It lies on a floor above, so it is named here and not imported."""

_default: list[CommandPolicy] = []


def default_policy() -> CommandPolicy:
    """Return the policy of the installed processors and the current settings; made at the first call, then kept.

    When the registry cannot be built nothing is touched, and a warning says so without any content.
    """
    if not _default:
        _default.append(_from_registry(_patterns_of_plugins))
    return _default[0]


def _patterns_of_plugins() -> Iterable[str]:
    patterns: Iterable[str] = __import__(_PROVIDER, fromlist=["default_hook_patterns"]).default_hook_patterns()
    return patterns


def _from_registry(patterns: Callable[[], Iterable[str]]) -> CommandPolicy:
    try:
        from token_saver.settings import load

        if load().get("enabled") is False:
            return CommandPolicy((), off="the setting `enabled` is off")
        return CommandPolicy(patterns())
    except Exception as error:
        import logging

        logging.getLogger(__name__).warning("interception is off: the registry failed with %s", type(error).__name__)
        return CommandPolicy((), off=f"the registry of processors failed with {type(error).__name__}")
