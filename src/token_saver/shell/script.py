"""What a command line is made of. Positions are offsets into the text that was read, so that a part can be cut out of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def names(text: str) -> frozenset[str]:
    """Return the set of the words of *text*, as the tables of this package are written."""
    return frozenset(text.split())


KEYWORDS = names(
    "if then elif else fi for select while until do done case esac function coproc in [[ ]] { } ! repeat foreach end"
)
"""Words with which the shell begins or ends a construct when they stand where a command is expected (bash, zsh)."""


class Word:
    """One word: ``raw`` as typed, ``text`` without its quotes.

    ``literal`` tells that the program gets exactly ``text``: nothing in the word is expanded. ``quoted`` tells that some
    of it was quoted or escaped. ``names`` are the parameters that are expanded in it, ``scripts`` the commands that are
    substituted into it.
    """

    __slots__ = ("end", "literal", "names", "quoted", "raw", "scripts", "start", "text")

    def __init__(
        self,
        raw: str,
        text: str,
        start: int,
        *,
        literal: bool = True,
        quoted: bool = False,
        names: tuple[str, ...] = (),
        scripts: tuple[Script, ...] = (),
    ) -> None:
        self.raw = raw
        self.text = text
        self.start = start
        self.end = start + len(raw)
        self.literal = literal
        self.quoted = quoted
        self.names = names
        self.scripts = scripts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Word({self.raw!r})"


class Redirect:
    """``2>&1``: the ``operator`` with the descriptor before it (``fd``, "" when none was written), and the ``target``."""

    __slots__ = ("end", "fd", "operator", "start", "target")

    def __init__(self, fd: str, operator: str, target: Word, start: int, end: int) -> None:
        self.fd = fd
        self.operator = operator
        self.target = target
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Redirect) and _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Redirect({self.fd}{self.operator}{self.target.raw})"


class Simple:
    """A simple command: assignments, words, redirections. ``assignments`` pairs a name with its value."""

    __slots__ = ("assignments", "end", "redirects", "start", "words")

    def __init__(
        self,
        assignments: tuple[tuple[str, Word], ...],
        words: tuple[Word, ...],
        redirects: tuple[Redirect, ...],
        start: int,
        end: int,
    ) -> None:
        self.assignments = assignments
        self.words = words
        self.redirects = redirects
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Simple) and _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Simple({' '.join(word.raw for word in self.words)})"


class Compound:
    """A construct around lists: ``kind`` is its name ("subshell", "group", "for", "if", "function", "test" …).

    ``bodies`` are the lists inside in the order of the text; ``names`` are the variables or the function that it defines;
    ``words`` are those of its head (``for x in WORDS``) or of the test it makes.
    """

    __slots__ = ("bodies", "end", "kind", "names", "redirects", "start", "words")

    def __init__(
        self,
        kind: str,
        bodies: tuple[Script, ...],
        redirects: tuple[Redirect, ...],
        start: int,
        end: int,
        names: tuple[str, ...] = (),
        words: tuple[Word, ...] = (),
    ) -> None:
        self.kind = kind
        self.bodies = bodies
        self.redirects = redirects
        self.start = start
        self.end = end
        self.names = names
        self.words = words

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compound) and _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Compound({self.kind})"


class Pipeline:
    """Commands that feed one another; ``negated`` when a ``!`` stands before. ``joints`` are the operators between."""

    __slots__ = ("commands", "end", "joints", "negated", "start")

    def __init__(
        self, commands: tuple[Simple | Compound, ...], joints: tuple[str, ...], negated: bool, start: int, end: int
    ) -> None:
        self.commands = commands
        self.joints = joints
        self.negated = negated
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pipeline) and _fields(self) == _fields(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Pipeline({list(self.commands)})"


class Script:
    """A list of pipelines, each with the separator that follows it: ``&&``, ``||``, ``;``, ``&``, a line end, or ""."""

    __slots__ = ("items",)

    def __init__(self, items: tuple[tuple[Pipeline, str], ...]) -> None:
        self.items = items

    @property
    def pipelines(self) -> tuple[Pipeline, ...]:
        """The pipelines without their separators."""
        return tuple(pipeline for pipeline, _ in self.items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Script) and self.items == other.items

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Script({[(pipeline, separator) for pipeline, separator in self.items]})"


def is_odd_time(words: Sequence[Word]) -> bool:
    """Whether the keyword ``time`` has nothing plain behind it: nothing at all, or another keyword."""
    if not words or words[0].raw != "time":
        return False
    behind = [word.raw for word in words[1:] if word.raw not in ("-p", "--")]
    return not behind or behind[0] in KEYWORDS or behind[0] == "time"


def walk(script: Script) -> Iterator[Simple | Compound]:
    """Yield every command of *script*, those inside constructs and substitutions included."""
    waiting = [script]
    while waiting:
        for pipeline in waiting.pop().pipelines:
            for command in pipeline.commands:
                yield command
                waiting.extend(_inside(command))


def words_of(command: Simple | Compound) -> Iterator[Word]:
    """Yield every word of *command* itself: its words, the values it assigns, the targets of its redirections."""
    yield from command.words
    if isinstance(command, Simple):
        for _, value in command.assignments:
            yield value
    for redirect in command.redirects:
        yield redirect.target


def _inside(command: Simple | Compound) -> Iterator[Script]:
    if isinstance(command, Compound):
        yield from command.bodies
    for word in words_of(command):
        yield from word.scripts


def _fields(thing: object) -> list[object]:
    return [getattr(thing, name) for name in type(thing).__slots__]  # type: ignore[attr-defined]
