"""``token-saver completion bash|zsh|fish``: completion of commands, subcommands and options, made from the parser."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator

SHELLS = ("bash", "zsh", "fish")
_DESCRIPTION = """\
Print a script that completes the commands, subcommands and options of token-saver. Load it from your shell's start-up file:

  bash   eval "$(token-saver completion bash)"          in ~/.bashrc
  zsh    eval "$(token-saver completion zsh)"           in ~/.zshrc, after compinit
  fish   token-saver completion fish | source           in ~/.config/fish/config.fish"""
_RUNNERS = ("run", "raw")


class Words(NamedTuple):
    """What may stand behind the commands *path* (``""``, ``"delta"``, ``"delta show"``): words with their help."""

    path: str
    words: tuple[tuple[str, str], ...]


def add(commands: argparse._SubParsersAction[Any]) -> None:
    """Add the command."""
    made = commands.add_parser(
        "completion",
        help="print a completion script for your shell",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("shell", choices=SHELLS)
    made.set_defaults(command=_completion)


def _completion(options: argparse.Namespace) -> int:
    from token_saver.cli import complete_parser

    rows = list(known(complete_parser()))
    output.write({"bash": bash, "zsh": zsh, "fish": fish}[options.shell](rows))
    return 0


def known(parser: argparse.ArgumentParser, path: str = "") -> Iterator[Words]:
    """Yield what may stand behind each command of *parser*, itself first."""
    words: list[tuple[str, str]] = []
    below: list[tuple[str, argparse.ArgumentParser]] = []
    for action in parser._actions:
        if action.help == argparse.SUPPRESS:
            continue
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            words += [(name, helps.get(name, "")) for name in action.choices]
            below += action.choices.items()
        elif action.option_strings:
            words.append((max(action.option_strings, key=len), action.help or ""))
        elif action.choices is not None:
            words += [(str(choice), "") for choice in action.choices]
    yield Words(path, tuple((word, " ".join((text % {"prog": ""} if "%(" in text else text).split())) for word, text in words))
    for name, child in below:
        yield from known(child, f"{path} {name}".strip())


def bash(rows: list[Words]) -> str:
    """Return the script for bash."""
    paths = "|".join(shlex.quote(row.path) for row in rows if row.path)
    cases = "\n".join(
        f"    {shlex.quote(row.path)}) found={shlex.quote(' '.join(word for word, _ in row.words))} ;;" for row in rows
    )
    return f"""\
_token_saver() {{
    local path= word found=
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        case "${{path:+$path }}$word" in {paths}) path="${{path:+$path }}$word" ;; esac
    done
    case "$path" in
    {"|".join(_RUNNERS)}) COMPREPLY=($(compgen -c -- "${{COMP_WORDS[COMP_CWORD]}}")); return ;;
{cases}
    esac
    COMPREPLY=($(compgen -W "$found" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _token_saver token-saver
"""


def zsh(rows: list[Words]) -> str:
    """Return the script for zsh."""
    paths = "|".join(shlex.quote(row.path) for row in rows if row.path)
    cases = "\n".join(
        f"    ({shlex.quote(row.path)}) found=({' '.join(_described(word, text) for word, text in row.words)}) ;;" for row in rows
    )
    return f"""\
#compdef token-saver
_token_saver() {{
    local passed= word
    local -a found
    for word in ${{words[2,CURRENT-1]}}; do
        case "${{passed:+$passed }}$word" in ({paths}) passed="${{passed:+$passed }}$word" ;; esac
    done
    case "$passed" in
    ({"|".join(_RUNNERS)}) _command_names -e; _files; return ;;
{cases}
    esac
    [[ $PREFIX == -* ]] || found=(${{found:#-*}})
    (( $#found )) && _describe word found || _files
}}
compdef _token_saver token-saver
"""


def fish(rows: list[Words]) -> str:
    """Return the script for fish."""
    paths = " ".join(shlex.quote(row.path) for row in rows if row.path)
    lines = [
        "function __token_saver_path",
        "    set -l path ''",
        "    for word in (commandline -opc)[2..]",
        '        set -l longer (string trim -- "$path $word")',
        f"        contains -- $longer {paths}; and set path $longer",
        "    end",
        "    echo $path",
        "end",
    ]
    for row in rows:
        condition = f"test (__token_saver_path) = {shlex.quote(row.path)}" if row.path else "test -z (__token_saver_path)"
        for word, text in row.words:
            named = f"-l {word[2:]}" if word.startswith("--") else f"-a {shlex.quote(word)}"
            files = "" if row.path else " -f"
            lines.append(f"complete -c token-saver{files} -n {shlex.quote(condition)} {named} -d {shlex.quote(text)}")
    return "\n".join(lines) + "\n"


def _described(word: str, text: str) -> str:
    return shlex.quote(word.replace(":", "\\:") + (f":{text}" if text else ""))
