"""Where each host keeps its settings, how it is detected, and what an installation puts there. Not on the hot path."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver import __version__, events
from token_saver.errors import InputError
from token_saver.hosts.claude import EVENTS
from token_saver.hosts.compiled import ENTRY
from token_saver.hosts.install import SHARED, Entry, Target, data_folder, records
from token_saver.hosts.listeners import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PREFIX_VARIABLE = "CLAUDE_CODE_SHELL_PREFIX"
_SECONDS = 10

_PREFIX = """\
#!/bin/sh
# Written by `token-saver init`. Whatever is not a command of the agent, and everything when Token-Saver is gone, runs as it came.
if [ $# -eq 1 ]; then
    case $1 in
    *"/snapshot-"*"eval "*"pwd -P >| "*)
        [ -x {python} ] && [ -f {entry} ] && exec {python} -I -S {entry} prefix "$1"
        ;;
    esac
    case ${{SHELL##*/}} in
    ash | bash | dash | ksh | ksh93 | mksh | sh | zsh) [ -x "$SHELL" ] && exec "$SHELL" -c "$1" ;;
    esac
    exec /bin/sh -c "$1"
fi
exec "$@"
"""

_HOOK = """\
#!/bin/sh
# Written by `token-saver init`. When Token-Saver is gone this says nothing; `token-saver doctor` tells.
[ -x {python} ] && [ -f {entry} ] || exit 0
exec {python} -I -S {entry} hook "$@"
"""


_LAUNCHERS = {"shell-prefix": _PREFIX, "hook": _HOOK}


class Host(NamedTuple):
    """One host: its program, the folders by which it is known, and its modes, the default first."""

    name: str
    title: str
    program: str
    folders: tuple[str, ...]
    modes: tuple[str, ...]


HOSTS = (
    Host("claude", "Claude Code", "claude", ("~/.claude",), ("prefix", "post", "wrap", "hybrid")),
    Host("gemini", "Gemini CLI", "gemini", ("~/.gemini/settings.json",), ("after-tool",)),
    Host("codex", "Codex CLI", "codex", ("~/.codex",), ("wrap",)),
    Host("antigravity", "Google Antigravity", "agy", ("~/.gemini/antigravity-cli", "~/.gemini/config"), ("native", "after-tool")),
)
BY_NAME = {host.name: host for host in HOSTS}


def is_present(host: Host) -> bool:
    """Tell whether the host is installed for this user."""
    return shutil.which(host.program) is not None or any(os.path.exists(_place(host, folder)) for folder in host.folders)


def targets(host: Host, mode: str, listeners: Iterable[str] = ()) -> list[Target]:
    """Return the files that belong to an installation in *mode*; raises InputError for a mode that the host does not have.

    *listeners* are the rows of the snapshot; an event of a session is sent to us only where somebody wants it.
    """
    if mode not in host.modes:
        raise InputError(f"{host.title} has no mode {mode!r}; it has {', '.join(host.modes)}")
    made = [_with_events(target, listeners) if host.name == "claude" else target for target in _MAKERS[host.name](mode)]
    told = json.dumps([entry._asdict() for target in made for entry in target.entries] + [target.text for target in made])
    return [*(_launcher(name) for name in _LAUNCHERS if launcher_path(name) in told), *made]


def connected() -> list[tuple[Host, str]]:
    """Return the hosts that are connected, each with its mode; one whose records fit no mode any more has its default."""
    found = records()
    ours = [(host, {row for record in found if record["host"] == host.name for row in _rows(record)}) for host in HOSTS]
    return [(host, _mode(host, rows)) for host, rows in ours if rows]


def _mode(host: Host, rows: set[tuple[str, str]]) -> str:
    return next((mode for mode in host.modes if _wanted(host, mode) <= rows), host.modes[0])


def _wanted(host: Host, mode: str) -> set[tuple[str, str]]:
    """Return the rows by which the records of a mode are known."""
    made = (target for target in _MAKERS[host.name](mode))
    records = ({"path": target.path, "entries": [entry._asdict() for entry in target.entries]} for target in made)
    return {row for record in records for row in _rows(record)}


def _rows(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the file, and with it each entry but those for the events of a session, which every mode may have."""
    entries = [entry for entry in record["entries"] if not is_of_events(entry["value"])]
    yield record["path"], ""
    yield from ((record["path"], json.dumps([list(entry["path"]), entry["value"]])) for entry in entries)


def is_of_events(value: object) -> bool:
    """Tell whether a command, or a group of hooks that holds one, is the one that hears the events of a session."""
    return hook_command("claude", EVENTS) in json.dumps(value, ensure_ascii=False)


def launcher_path(name: str) -> str:
    """Return the path of a launcher of ours."""
    return str(data_folder() / "bin" / name)


def hook_command(*words: str) -> str:
    """Return the shell text of a hook."""
    return shlex.join((launcher_path("hook"), *words))


def settings_path(name: str) -> str:
    """Return the settings file of a host that has one."""
    if name == "claude":
        return os.path.join(os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude"), "settings.json")
    if name == "codex":
        return os.path.join(os.environ.get("CODEX_HOME") or os.path.expanduser("~/.codex"), "hooks.json")
    return os.path.expanduser("~/.gemini/settings.json")


def _place(host: Host, folder: str) -> str:
    return os.path.dirname(settings_path(host.name)) if host.name in ("claude", "codex") else os.path.expanduser(folder)


def _launcher(name: str) -> Target:
    made = _LAUNCHERS[name].format(python=shlex.quote(sys.executable), entry=shlex.quote(ENTRY))
    return Target(SHARED, launcher_path(name), text=made, executable=True)


def _claude(mode: str) -> list[Target]:
    if mode == "prefix":
        entries = [Entry(("env", PREFIX_VARIABLE), launcher_path("shell-prefix"))]
    else:
        events = {"wrap": ("PreToolUse",), "post": ("PostToolUse",), "hybrid": ("PreToolUse", "PostToolUse")}[mode]
        entries = [Entry(("hooks", event), _group("Bash", hook_command("claude", mode)), item=True) for event in events]
    return [Target("claude", settings_path("claude"), tuple(entries))]


def _with_events(target: Target, listeners: Iterable[str]) -> Target:
    """Add a hook for each event that somebody wants, the start of a session always, to what is put into the settings."""
    wanted: dict[str, set[str]] = {events.SESSION_START: {""}}
    for row in listeners:
        kind, tools, *_ = row.split("\t")
        wanted.setdefault(kind, set()).update(tools.split(" "))
    names = {kind: name for name, kind in CLAUDE.items()}
    entries = [
        Entry(
            ("hooks", names[kind]),
            _group("" if "" in tools else "|".join(sorted(tools)), hook_command("claude", EVENTS)),
            item=True,
        )
        for kind, tools in wanted.items()
    ]
    return target._replace(entries=(*target.entries, *entries))


def _codex(mode: str) -> list[Target]:
    entry = Entry(("hooks", "PreToolUse"), _group("Bash", hook_command("codex")), item=True)
    return [Target("codex", settings_path("codex"), (entry,))]


def _gemini(mode: str) -> list[Target]:
    handler = {"name": "token-saver", "type": "command", "command": hook_command("gemini")}
    entry = Entry(("hooks", "AfterTool"), {"matcher": "run_shell_command", "hooks": [handler]}, item=True)
    return [Target("gemini", settings_path("gemini"), (entry,))]


def _antigravity(mode: str) -> list[Target]:
    command = hook_command("antigravity", mode)
    if mode == "native":
        folder = os.path.expanduser("~/.gemini/config/plugins/token-saver")
        hooks: object = {"token-saver": {"PreToolUse": [_group("run_command", command)]}}
    else:
        folder = os.path.expanduser("~/.gemini/antigravity-cli/plugins/token-saver")
        hooks = {"hooks": {"AfterTool": [_group("run_shell_command|read_file|list_directory", command)]}}
    manifest = {"name": "token-saver", "version": __version__, "description": "Shortens command output for coding agents."}
    return [
        Target("antigravity", f"{folder}/{name}", text=json.dumps(content, indent=2) + "\n")
        for name, content in (("plugin.json", manifest), ("hooks.json", hooks))
    ]


def _group(matcher: str, command: str) -> dict[str, object]:
    """Return a group of hooks; an empty *matcher* matches every tool."""
    return {"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": _SECONDS}]}


_MAKERS = {"claude": _claude, "codex": _codex, "gemini": _gemini, "antigravity": _antigravity}
