"""How a pipeline can be wrapped where it stands: in front of its words, or as a text for another shell of the same kind."""

from __future__ import annotations

from token_saver.shell.script import Script, Simple, names, walk, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.shell.script import Compound, Pipeline, Redirect, Word
    from token_saver.shell.surroundings import Surroundings

BUILTINS = names(
    ". : [ alias autoload bg bind break builtin bye caller cd chdir command compgen complete compopt continue declare "
    "dirs disown echo enable eval exit export false fc fg functions getopts hash help history jobs kill let limit local "
    "log logout mapfile nocorrect noglob popd print printf pushd pwd r read readarray readonly rehash return sched set "
    "setopt shift shopt source suspend test times trap true ttyctl type typeset ulimit umask unalias unhash unlimit "
    "unset unsetopt vared wait whence where which zmodload"
)
"""Words that bash, dash or zsh carry out themselves: the program of that name, if there is one, is another."""

_NOT_FOR_THE_WRAPPER = ("PATH", "HOME", "SHELL", "IFS", "LD_", "DYLD_", "PYTHON", "XDG_", "TMPDIR", "LANG", "LC_")
"""Variables that would also change how the wrapper starts or what it reads; in front of it they must not stand."""

_EXPORTED = names("HOME PWD USER LOGNAME PATH SHELL")
"""Variables that any shell hands on to the programs it starts."""


class Wrapping:
    """From *start* the words stand behind the wrapper; or, as ``text``, the source up to *end* becomes one word."""

    __slots__ = ("end", "start", "text")

    def __init__(self, start: int, end: int, *, text: bool) -> None:
        self.start = start
        self.end = end
        self.text = text


def wrapping(pipeline: Pipeline, source: str, around: Surroundings) -> Wrapping | str:
    """Return how *pipeline*, a part of *source*, can be wrapped without a change of meaning, or why it cannot."""
    if around.hazard:
        return around.hazard
    command = pipeline.commands[0]
    refused = "it is a pipeline"
    if len(pipeline.commands) == 1 and isinstance(command, Simple):
        start = _before_words(command)
        if isinstance(start, int):
            return Wrapping(start, command.end, text=False)
        refused = start
    start = command.words[_timed(command)].start if isinstance(command, Simple) and _timed(command) else command.start
    because = _not_for_another_shell(pipeline, source[start : pipeline.end], around)
    if because:
        return f"{refused}, and no other shell can run it: {because}"
    return Wrapping(start, pipeline.end, text=True)


def _before_words(command: Simple) -> int | str:
    """Return where the wrapper can stand in front of the words, or why it cannot."""
    if any(not _only_feeds(redirect) for redirect in command.redirects):
        return "it redirects its output"
    if any(name.startswith(_NOT_FOR_THE_WRAPPER) for name, _ in command.assignments):
        return "it sets a variable that the wrapper reads too"
    first = command.words[_timed(command)]
    if first.text in BUILTINS or first.text in ("exec", "time"):
        return f"{first.text} is carried out by the shell"
    if not first.literal and not _is_path(first):
        return "its first word is yet to be expanded"
    return first.start


def _only_feeds(redirect: Redirect) -> bool:
    return redirect.operator in ("<", "<<", "<<-", "<<<") and redirect.fd in ("", "0")


def _is_path(word: Word) -> bool:
    """``"$VENV/bin/pytest"``, ``~/bin/x``: whatever it becomes, it is one program file."""
    return "/" in word.text and not word.scripts and (word.quoted or not word.names) and not any(c in word.raw for c in "*?[{")


def _timed(command: Simple) -> int:
    """Return how many words ``time`` takes: it measures what follows, is a word of the shell, and stays in front."""
    words = command.words
    if len(words) < 2 or words[0].raw != "time" or command.assignments:
        return 0
    return 2 if words[1].raw == "-p" and len(words) > 2 else 1


def _not_for_another_shell(pipeline: Pipeline, text: str, around: Surroundings) -> str:
    if around.shell_hazard:
        return around.shell_hazard
    if around.pipefail and len(pipeline.commands) > 1:
        return "pipefail is set in this one"
    if "\n" in text and around.heredocs:
        return "a here-document may stand in it"
    for command in walk(Script(((pipeline, ""),))):
        because = _depends_on_the_shell(command, around)
        if because:
            return because
    return ""


def _depends_on_the_shell(command: Simple | Compound, around: Surroundings) -> str:
    if any(redirect.operator.startswith("<<") and redirect.operator != "<<<" for redirect in command.redirects):
        return "it has a here-document"
    if isinstance(command, Simple) and command.words and command.words[0].text in around.functions:
        return f"{command.words[0].text} is a function of the line"
    for word in words_of(command):
        for name in word.names:
            if name not in _EXPORTED:
                return f"it uses ${name}, which may be known to this one alone"
    return ""
