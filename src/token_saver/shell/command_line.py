"""A command line as the processors see it: a ``str`` that also knows what it runs."""

from __future__ import annotations

from token_saver.shell.arguments import Arguments
from token_saver.shell.launchers import unwrap
from token_saver.shell.scan import scan
from token_saver.shell.script import Compound, Simple, names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.shell.script import Pipeline, Script, Word

_SILENT = names(
    ". : [ [[ alias break cd chmod chown continue cp declare disown eval exit export false hash let ln local "
    "mkdir mktemp mv popd pushd read readonly return rm rmdir set setopt shift shopt sleep source test touch trap "
    "true typeset ulimit umask unalias unset unsetopt wait"
)
"""Commands that print nothing when all is well."""

_ANNOTATING = frozenset({"echo", "printf"})
"""Commands whose output only stands around the output of others: ``echo "== status"; git status; echo rc=$?``."""

_FILTERS = names(
    "ag ansi2txt cat column cut egrep expand fgrep fold grep head less more most nl rev rg sed sort strings tac "
    "tail tee tr ts uniq"
)
"""Stages that hand on lines of the producer. Any other program at the end of a pipe prints something of its own."""

_SEEN_TARGETS = frozenset({"/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/1", "/dev/fd/2", "-", "1", "2"})
_DEEPEST = 6


class CommandLine(str):
    """A command line and its reading; the reading is made when it is first asked for and never raises.

    Of several commands ``program``, ``args`` and all that follows from them are those of the one that speaks: the last of
    the list that is not silent by nature (``cd``, ``export``, ``mkdir`` …); in a pipeline the producer, unless a later
    stage replaces the output by its own (``wc``, ``jq``, ``xargs`` …). Of a line that cannot be read ``program`` is "" and
    ``segments`` is ().
    """

    __slots__ = ("_cached",)

    @classmethod
    def of_words(cls, words: Sequence[str]) -> CommandLine:
        """Return the line of the program *words*, which are not looked into any further."""
        line = cls(" ".join(words))
        line._cached = _Reading(tuple(words), segments=(line,))
        return line

    @classmethod
    def of_command(cls, command: Simple) -> CommandLine:
        """Return the line of one simple command that was read before; its redirections are left out."""
        words = [f"{name}={value.raw}" for name, value in command.assignments] + [word.raw for word in command.words]
        line = cls(" ".join(words))
        line._cached = _of_simple(line, _Spoken(command, (), 0, len(line)), _DEEPEST)
        line._cached.segments = line._cached.segments or (line,)
        return line

    @property
    def program(self) -> str:
        """The name of the program, without folder, ``.exe`` and launchers; "" when it is not known."""
        return self._reading.words[0] if self._reading.words else ""

    @property
    def words(self) -> tuple[str, ...]:
        """The program and its arguments, unquoted."""
        return self._reading.words

    @property
    def args(self) -> tuple[str, ...]:
        """The arguments of the program, unquoted."""
        return self._reading.words[1:]

    @property
    def subcommand(self) -> str:
        """The first operand, after the program's global options: ``git -C x status`` → ``status``."""
        return next(iter(self.operands), "")

    @property
    def operands(self) -> tuple[str, ...]:
        """The arguments that are neither options nor, where that is known, values of options; the subcommand is the first."""
        return self._reading.arguments.operands

    @property
    def flags(self) -> frozenset[str]:
        """The names of the options without their values; ``-rvn`` gives ``-rvn``, ``-r``, ``-v`` and ``-n``."""
        return self._reading.arguments.flags

    @property
    def assignments(self) -> tuple[tuple[str, str], ...]:
        """The variables set for this command alone: ``CI=1 pytest`` → (("CI", "1"),)."""
        return self._reading.assignments

    @property
    def launcher(self) -> tuple[str, ...]:
        """The words that start the program: ``("uv", "run")``, ``("python", "-m")``, ``("timeout", "60")``."""
        return self._reading.launcher

    @property
    def segments(self) -> tuple[CommandLine, ...]:
        """The commands whose output is seen, each with its filters; () when the line cannot be read."""
        return self._reading.segments

    @property
    def piped(self) -> tuple[CommandLine, ...]:
        """The filters that the output runs through: ``| head -30``."""
        return self._reading.piped

    def has(self, *names: str) -> bool:
        """Tell whether one of the options *names* is present, with or without a value."""
        return not self.flags.isdisjoint(names)

    def option(self, *names: str) -> str | None:
        """Return the value of the last of the options *names*: ``--name=value``, ``--name value``, ``-n5``, ``-n 5``."""
        return self._reading.arguments.option(names)

    def starts(self, words: str) -> bool:
        """Tell whether the program and its subcommands are *words*: ``git stash list``; options between are passed over."""
        program, *rest = words.split()
        return program == self.program and list(self.operands[: len(rest)]) == rest

    @property
    def _reading(self) -> _Reading:
        try:
            return self._cached
        except AttributeError:
            self._cached: _Reading = _read(self, _DEEPEST)
            return self._cached


class _Reading:
    """What is known of a line; the arguments are sorted out when they are first asked for."""

    __slots__ = ("_arguments", "assignments", "launcher", "piped", "segments", "words")

    def __init__(
        self,
        words: tuple[str, ...] = (),
        launcher: tuple[str, ...] = (),
        assignments: tuple[tuple[str, str], ...] = (),
        piped: tuple[CommandLine, ...] = (),
        segments: tuple[CommandLine, ...] = (),
    ) -> None:
        self.words = words
        self.launcher = launcher
        self.assignments = assignments
        self.piped = piped
        self.segments = segments
        self._arguments: Arguments | None = None

    @property
    def arguments(self) -> Arguments:
        if self._arguments is None:
            self._arguments = Arguments(self.words[0], self.words[1:]) if self.words else Arguments("", ())
        return self._arguments


class _Spoken:
    """A simple command whose output is seen through ``filters``; it and they stand at ``start`` to ``end`` of the line."""

    __slots__ = ("command", "end", "filters", "start")

    def __init__(self, command: Simple, filters: tuple[Simple | Compound, ...], start: int, end: int) -> None:
        self.command = command
        self.filters = filters
        self.start = start
        self.end = end


def read_script(text: str) -> Script | None:
    """Return the reading of *text* ; None when it cannot be read."""
    script = scan(text)
    if script is not None:
        return script
    from token_saver.errors import ShellSyntaxError

    try:
        from token_saver.shell.parse import parse

        return parse(text)
    except (ShellSyntaxError, ImportError):
        return None


def _read(line: CommandLine, depth: int) -> _Reading:
    script = read_script(line)
    if script is None:
        return _Reading()
    spoken = _audible(list(_speaking(script)))
    if not spoken:
        return _Reading()
    last = spoken[-1]
    reading = _of_simple(line, last, depth)
    if len(spoken) > 1:
        reading.segments = tuple(_segment(line, each, depth) for each in spoken)
    elif not reading.segments:
        whole = len(script.items) == 1 and last.end - last.start == len(line.strip())
        reading.segments = (line if whole else _segment(line, last, depth),)
    return reading


def _segment(line: CommandLine, spoken: _Spoken, depth: int) -> CommandLine:
    """Return a part of *line*; its reading is known, and a part alone may lack the here-document that belongs to it."""
    made = CommandLine(line[spoken.start : spoken.end])
    made._cached = _of_simple(line, spoken, depth)
    made._cached.segments = made._cached.segments or (made,)
    return made


def _of_simple(line: CommandLine, spoken: _Spoken, depth: int) -> _Reading:
    command = spoken.command
    launch = unwrap([word.text for word in command.words])
    assignments = tuple((name, value.text) for name, value in command.assignments)
    piped = tuple(CommandLine(line[each.start : each.end]) for each in spoken.filters)
    if launch.script is not None and depth:
        inner = _read(CommandLine(launch.script), depth - 1)
        if inner.segments:
            return _Reading(
                inner.words,
                launch.launcher + inner.launcher,
                assignments + inner.assignments,
                inner.piped + piped,
                inner.segments,
            )
    words = launch.words if launch.script is None else (launch.launcher[0], *launch.words[1:])
    if not words or not _is_known(words[0], command.words):
        return _Reading(assignments=assignments, piped=piped)
    return _Reading(words, launch.launcher, assignments, piped)


def _is_known(program: str, words: Iterable[Word]) -> bool:
    """A name that the shell has yet to make (``$TOOL``, ``{a,b}``) is not known."""
    if program in ("[", ""):
        return program == "["
    return all(word.literal or not word.text.endswith(program) for word in words) or not any(c in program for c in "$`*?{}~")


def _audible(spoken: list[_Spoken]) -> list[_Spoken]:
    """Leave out what is silent, then what only annotates, as long as something is left."""
    for keep in (_is_seen, _is_loud, _is_content):
        spoken = [each for each in spoken if keep(each)] or spoken[-1:]
    return spoken


def _is_seen(spoken: _Spoken) -> bool:
    last = spoken.filters[-1] if spoken.filters else spoken.command
    return not any(
        redirect.operator in (">", ">>", ">|", "&>", "&>>")
        and redirect.fd in ("", "1")
        and redirect.target.text not in _SEEN_TARGETS
        for redirect in last.redirects
    )


def _is_loud(spoken: _Spoken) -> bool:
    return bool(spoken.command.words) and spoken.command.words[0].text not in _SILENT


def _is_content(spoken: _Spoken) -> bool:
    return not spoken.command.words or spoken.command.words[0].text not in _ANNOTATING


def _speaking(script: Script) -> Iterator[_Spoken]:
    for pipeline in script.pipelines:
        yield from _of_pipeline(pipeline)


def _of_pipeline(pipeline: Pipeline) -> Iterator[_Spoken]:
    producer = _producer(pipeline.commands)
    filters = pipeline.commands[producer + 1 :]
    command = pipeline.commands[producer]
    if isinstance(command, Simple):
        yield _Spoken(command, filters, pipeline.start, pipeline.end)
    elif command.kind != "function":
        for body in command.bodies:
            for inner in _speaking(body):
                yield _Spoken(inner.command, inner.filters + filters, inner.start, inner.end)


def _producer(commands: tuple[Simple | Compound, ...]) -> int:
    """Return the position of the last stage that prints something of its own."""
    for position in range(len(commands) - 1, 0, -1):
        if not _is_filter(commands[position]):
            return position
    return 0


def _is_filter(stage: Simple | Compound) -> bool:
    if not isinstance(stage, Simple):
        return False
    launch = unwrap([word.text for word in stage.words])
    return bool(launch.words) and launch.words[0] in _FILTERS and "xargs" not in launch.launcher
