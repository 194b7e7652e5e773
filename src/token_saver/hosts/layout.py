"""Where each host keeps its settings, how it is detected, and what an installation puts there. Not on the hot path."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from typing import NamedTuple

from token_saver import __version__
from token_saver.errors import InputError
from token_saver.hosts.compiled import ENTRY
from token_saver.hosts.install import SHARED, Entry, Target, data_folder

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


def targets(host: Host, mode: str) -> list[Target]:
    """Return the files that belong to an installation in *mode*; raises InputError for a mode that the host does not have."""
    if mode not in host.modes:
        raise InputError(f"{host.title} has no mode {mode!r}; it has {', '.join(host.modes)}")
    return [_launcher("shell-prefix" if mode == "prefix" else "hook"), *_MAKERS[host.name](mode)]


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
    text = {"shell-prefix": _PREFIX, "hook": _HOOK}[name]
    made = text.format(python=shlex.quote(sys.executable), entry=shlex.quote(ENTRY))
    return Target(SHARED, launcher_path(name), text=made, executable=True)


def _claude(mode: str) -> list[Target]:
    if mode == "prefix":
        entries = [Entry(("env", PREFIX_VARIABLE), launcher_path("shell-prefix"))]
    else:
        events = {"wrap": ("PreToolUse",), "post": ("PostToolUse",), "hybrid": ("PreToolUse", "PostToolUse")}[mode]
        entries = [Entry(("hooks", event), _group("Bash", hook_command("claude", mode)), item=True) for event in events]
    return [Target("claude", settings_path("claude"), tuple(entries))]


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
    return {"matcher": matcher, "hooks": [{"type": "command", "command": command, "timeout": _SECONDS}]}


_MAKERS = {"claude": _claude, "codex": _codex, "gemini": _gemini, "antigravity": _antigravity}
