"""What a simple command is known to do: talk to a terminal, never end, need rights, destroy, speak to a program."""

from __future__ import annotations

from token_saver.shell.behaviour_table import ENDLESS, FOR_PROGRAMS, INTERACTIVE, IRREVERSIBLE, QUIET, RUNS_CODE, TABLE
from token_saver.shell.command_line import CommandLine
from token_saver.shell.launchers import steps
from token_saver.shell.options import takes_value
from token_saver.shell.script import names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_INTERPRETERS = names("python node deno bun ruby perl lua php bash sh dash zsh ksh fish scala groovy tclsh pwsh powershell")
_SPEAKS_FOR_ITSELF = names("-c -e -E -p -r --eval --print -m -V --version -v --help -h")
_SQL_CHANGES = names("drop delete truncate update alter insert create grant revoke replace vacuum")
_CODE_IN_SETTINGS = (
    "pager", "editor", "command", "alias.", "textconv", "external", "helper", "hookspath", "fsmonitor", "askpass", "program",
    "uploadpack", "receivepack", "clean", "smudge", "process", "proxy", "include.",
)  # fmt: skip
_CODE_IN_VARIABLES = names(
    "LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT DYLD_INSERT_LIBRARIES BASH_ENV PAGER EDITOR VISUAL GIT_PAGER GIT_EDITOR "
    "GIT_SEQUENCE_EDITOR GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH "
    "GIT_CONFIG_COUNT LESSOPEN MANPAGER PROMPT_COMMAND PS4 PERL5OPT RUBYOPT SHELLOPTS BASHOPTS"
)
_HARMLESS = frozenset({"", "cat", "true", "false", ":", "less", "never", "always", "auto"})
_PRINTS_FOR_PROGRAMS = ("jsonpath", "go-template", "template", "custom-columns", "name", "value", "csv", "tsv", "text")


def behaviour(line: CommandLine, *, fed: bool = False) -> str:
    """Return what the command *line* is known to do (a kind of ``behaviour_table``), "" when nothing is.

    *fed* tells that its standard input comes from a file or a here-document, so that a prompt is none.
    """
    found = next(_of_launchers(line), "")
    if found or not line.program:
        return found
    if any(_changes_code(name, value) for name, value in line.assignments):
        return RUNS_CODE
    special = SPECIAL.get(line.program)
    found = special(line) if special is not None else ""
    found = found or _from_table(line.program, line)
    if not found and line.has("--version") and not line.operands:
        return QUIET
    return "" if fed and found == INTERACTIVE else found


def _of_launchers(line: CommandLine) -> Iterator[str]:
    """Yield what the launchers do themselves: ``sudo``, ``docker exec -it``, ``ssh -t``, ``env LD_PRELOAD=…``."""
    for step in steps((*line.launcher, *line.words)):
        if any(_changes_code(*word.partition("=")[::2]) for word in step if "=" in word):
            yield RUNS_CODE
        found = _from_table(step[0], CommandLine.of_words(step))
        if found:
            yield found


def _changes_code(name: str, value: str) -> bool:
    """Whether a variable makes a program run another one; ``PAGER=cat`` is what an agent sets to be left in peace."""
    return (name in _CODE_IN_VARIABLES and value not in _HARMLESS) or name.startswith("BASH_FUNC")


def _from_table(program: str, line: CommandLine) -> str:
    for kind, row in _rows(program, line.subcommand):
        if _holds(row, line):
            return kind
    return ""


def _rows(program: str, subcommand: str) -> Iterator[tuple[str, str]]:
    """Yield the rows of *program*, looked up in the text of the table, which is quicker than to take all of it apart."""
    if not program.isprintable() or " " in program:
        return
    beginnings = [f"\n{program}\n", *(f"\n{program} {sign} " for sign in "?!=")]
    if subcommand:
        beginnings.append(f"\n{program} {subcommand}")
    for kind, text in TABLE.items():
        for beginning in beginnings:
            at = text.find(beginning)
            while at >= 0:
                end = text.index("\n", at + 1)
                yield kind, text[at + 1 : end]
                at = text.find(beginning, end)


def _holds(row: str, line: CommandLine) -> bool:
    for sign in (" ? ", " ! ", " = "):
        words, found, tail = row.partition(sign)
        if found:
            break
    if not line.starts(words):
        return False
    wanted = tail.split()
    if found == " = ":
        behind = line.operands[words.count(" ") :]
        return bool(behind) and behind[0] in wanted
    present = _any(wanted, line)
    return present if found == " ? " else not (found and present)


def _any(wanted: list[str], line: CommandLine) -> bool:
    """Whether a wanted word is among the options or operands; ``--watch=false`` is no ``--watch``."""
    begins = tuple(word[:-1] for word in wanted if word.endswith("*"))
    for word in (*line.flags, *line.operands):
        if (word in wanted or (begins and word.startswith(begins))) and f"{word}=false" not in line.args:
            return True
    return False


def _interpreter(line: CommandLine) -> str:
    """Without a script or a text to run it is a prompt."""
    if line.program == "python" and line.has("-i"):
        return INTERACTIVE
    return "" if line.operands or line.flags & _SPEAKS_FOR_ITSELF or line.has("--test", "-f", "--file") else INTERACTIVE


def _git(line: CommandLine) -> str:
    if any(_runs_code(*setting.partition("=")[::2]) for setting in _git_settings(line.args)):
        return RUNS_CODE
    if line.subcommand == "push" and any(operand[:1] in ("+", ":") for operand in line.operands[1:]):
        return IRREVERSIBLE
    if line.subcommand in ("checkout", "restore") and "--" in line.args:
        return IRREVERSIBLE
    if line.subcommand == "stash" and line.has("-p", "--patch") and line.operands[1:2] not in (("show",), ("list",)):
        return INTERACTIVE
    return ""


def _runs_code(name: str, value: str) -> bool:
    return value not in _HARMLESS and any(word in name.lower() for word in _CODE_IN_SETTINGS)


def _git_settings(args: tuple[str, ...]) -> Iterator[str]:
    """Yield the values of ``-c`` before the subcommand."""
    at = 0
    valued = takes_value("git", "")
    while at + 1 < len(args) and args[at].startswith("-"):
        if args[at] == "-c":
            yield args[at + 1]
        at += 2 if args[at] in valued else 1


def _database(line: CommandLine) -> str:
    """A client with no statement is a prompt; a statement that changes data is left to the host's own question."""
    statement = " ".join(filter(None, (line.option(*_STATEMENT_OPTIONS[line.program]), *line.operands[1:])))
    if any(map(_changes_data, statement.lower().split(";"))):
        return IRREVERSIBLE
    if line.program == "sqlite3":
        return "" if len(line.operands) > 1 or line.has("-cmd", "-version") else INTERACTIVE
    quiet = ("-c", "-f", "-l", "-e", "--command", "--file", "--list", "--execute", "--version", "-V", "--help")
    return "" if line.has(*quiet) else INTERACTIVE


def _changes_data(statement: str) -> bool:
    words = statement.split()
    led = words[:1] in (["with"], ["explain"])
    return not _SQL_CHANGES.isdisjoint(words if led else words[:1])


_STATEMENT_OPTIONS = {
    "psql": ("-c", "--command"),
    "mysql": ("-e", "--execute"),
    "mariadb": ("-e", "--execute"),
    "sqlite3": ("-cmd",),
}


def _cloud(line: CommandLine) -> str:
    """Verbs that take away: ``aws ec2 terminate-instances``, ``gcloud projects delete``, ``az group delete``."""
    taken = ("delete", "terminate", "remove", "purge", "destroy", "deregister", "revoke", "rm")
    if any(operand.startswith(taken) for operand in line.operands[:5]):
        return IRREVERSIBLE
    return _printing(line)


def _printing(line: CommandLine) -> str:
    """The value of an output option that only a program reads."""
    value = (line.option("-o", "--output", "--format") or "").lower()
    if line.program in ("docker", "podman", "docker-compose"):
        return FOR_PROGRAMS if line.has("--format") and not value.startswith(("table", "json")) else ""
    return FOR_PROGRAMS if value.startswith(_PRINTS_FOR_PROGRAMS) else ""


def _sampler(line: CommandLine) -> str:
    """``vmstat 1`` samples for ever, ``vmstat 1 3`` three times."""
    numbers = [operand for operand in line.operands if operand.isdigit()]
    return ENDLESS if len(numbers) == 1 else ""


def _ssh(line: CommandLine) -> str:
    return INTERACTIVE if not line.has("-V", "-G", "-Q", "-O") else ""


SPECIAL: dict[str, Callable[[CommandLine], str]] = {
    **dict.fromkeys(_INTERPRETERS, _interpreter),
    **dict.fromkeys(_STATEMENT_OPTIONS, _database),
    **dict.fromkeys(("aws", "gcloud", "az"), _cloud),
    **dict.fromkeys(("kubectl", "oc", "helm", "docker", "podman", "docker-compose"), _printing),
    **dict.fromkeys(("vmstat", "iostat", "mpstat", "sar", "pidstat"), _sampler),
    "git": _git,
    "ssh": _ssh,
}
"""The programs whose arguments are read more closely than the table says."""
