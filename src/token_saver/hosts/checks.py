"""What ``token-saver doctor`` looks at: the installed commands are started as the hosts start them. Not on the hot path."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from token_saver.hosts import install, json_edit, layout, permissions, plugin_checks, trouble
from token_saver.hosts.compiled import ENTRY
from token_saver.hosts.finding import AGAIN, NOTE, OK, WRONG, Finding
from token_saver.hosts.listeners import CLAUDE
from token_saver.settings_keys import KEYS
from token_saver.snapshot import package

_SLOW = 1.0
_PATIENCE = 20
_LINES = "".join(f"tests/test_orders.py::test_order_{number} PASSED\n" for number in range(120))
OUTPUT = f"{_LINES}============ 120 passed in 0.84s ============\n"
"""What the events below bring; the last line is what has to survive."""
_EVENTS = frozenset({*CLAUDE, "AfterTool"})
_SURVIVES = "120 passed"


def all_findings() -> list[Finding]:
    """Return everything there is to say."""
    found = [*_installation(), *_switches(), *_settings(), *plugin_checks.of_snapshot(), *plugin_checks.of_plugins(), *_wrapper()]
    records = install.records()
    for host in layout.HOSTS:
        ours = [record for record in records if record["host"] == host.name]
        found += _of_host(host, ours)
    return [*found, *_log()]


def events(host: str, mode: str) -> tuple[dict[str, Any], str]:
    """Return an event as *host* sends it, and a word that the reply must have in it."""
    common = {"session_id": "doctor", "cwd": os.getcwd(), "permission_mode": "default"}
    before = {
        **common,
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "pytest -v", "timeout": 9},
    }
    after = {"tool_input": {"command": "pytest -v"}}
    made: dict[tuple[str, str], tuple[dict[str, Any], str]] = {
        ("claude", "PreToolUse"): (before, "run -- pytest -v"),
        ("claude", "PostToolUse"): (
            {
                **common,
                **after,
                "hook_event_name": "PostToolUse",
                "tool_name": "Bash",
                "tool_response": {"stdout": OUTPUT, "stderr": "", "interrupted": False, "isImage": False},
            },
            _SURVIVES,
        ),
        ("codex", "PreToolUse"): ({**before, "permission_mode": "bypassPermissions"}, "run -- pytest -v"),
        ("gemini", "AfterTool"): (
            {
                **common,
                **after,
                "hook_event_name": "AfterTool",
                "tool_name": "run_shell_command",
                "tool_response": {"llmContent": OUTPUT},
            },
            _SURVIVES,
        ),
        ("antigravity", "PreToolUse"): (
            {"toolCall": {"name": "run_command", "args": {"CommandLine": "pytest -v", "Cwd": os.getcwd()}}},
            "run -- pytest -v",
        ),
    }
    made["antigravity", "AfterTool"] = made["gemini", "AfterTool"]
    return made[host, mode]


def _installation() -> Iterator[Finding]:
    yield Finding("installation", OK, f"Python {sys.version.split()[0]} at {sys.executable}, package at {package()}")
    for name in ("hook", "shell-prefix"):
        path = layout.launcher_path(name)
        if os.path.exists(path):
            yield _launcher(name, path)


def _launcher(name: str, path: str) -> Finding:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if shlex.quote(ENTRY) not in text or shlex.quote(sys.executable) not in text:
        what = f"{path} starts another installation than this one"
        return Finding(f"launcher {name}", WRONG, what, f"the environment was moved or upgraded: {AGAIN}")
    if not os.access(path, os.X_OK):
        return Finding(f"launcher {name}", WRONG, f"{path} cannot be executed", AGAIN)
    return Finding(f"launcher {name}", OK, path)


def _switches() -> Iterator[Finding]:
    for name in ("TOKEN_SAVER", "TOKEN_SAVER_ENABLED"):
        if os.environ.get(name, "").lower() in ("off", "0", "no", "false"):
            yield Finding("environment", WRONG, f"{name}={os.environ[name]} switches everything off", f"unset {name}")


def _settings() -> Iterator[Finding]:
    from token_saver.settings import load

    settings = load()
    for problem in settings.problems:
        yield Finding("settings", WRONG, str(problem), "correct the file; `token-saver config show` tells what applies")
    if settings.get("enabled") is False:
        yield Finding("settings", WRONG, f"`enabled` is off, from {settings.provenance('enabled')}", "set it to true")


def _wrapper() -> Iterator[Finding]:
    """A command that prints a report and ends with 3, through the wrapper and beside it."""
    with tempfile.TemporaryDirectory() as folder:
        text = _fake_runner(folder)
        start = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-I", "-S", ENTRY, "run", "--", text, "-v"],
            stdout=-1,
            stderr=-2,
            timeout=_PATIENCE,
            env=_unrecorded(),
        )
        yield _judged("wrapper", done.returncode, 3, done.stdout.decode("utf-8", "replace"), time.monotonic() - start)
        exact = subprocess.run([sys.executable, "-I", "-S", ENTRY, "raw", "--", text, "-v"], stdout=-1, timeout=_PATIENCE)
        same = exact.returncode == 3 and exact.stdout == OUTPUT.encode()
        yield Finding("raw", OK if same else WRONG, "every byte and the status pass" if same else "bytes or status were changed")


def _fake_runner(folder: str) -> str:
    path = os.path.join(folder, "pytest")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\ncat <<'END'\n{OUTPUT}END\nexit 3\n")
    os.chmod(path, 0o755)
    return path


def _judged(subject: str, status: int, wanted: int, shown: str, seconds: float) -> Finding:
    if status != wanted:
        return Finding(subject, WRONG, f"the exit status is {status} and not {wanted}", AGAIN)
    if _SURVIVES not in shown:
        return Finding(subject, WRONG, "what has to survive is missing", "please report this")
    if len(shown) > len(OUTPUT) / 2:
        return Finding(subject, WRONG, "nothing was shortened", "look at the switches and settings above")
    saved = 100 - 100 * len(shown) // len(OUTPUT)
    return Finding(subject, OK if seconds < _SLOW else NOTE, f"{saved} % saved, status {status} kept, {seconds * 1000:.0f} ms")


def _of_host(host: layout.Host, records: list[dict[str, Any]]) -> Iterator[Finding]:
    if not records:
        if layout.is_present(host):
            yield Finding(host.title, NOTE, "found, but not connected", f"token-saver init {host.name}")
        return
    for record in records:
        found = _still_there(record)
        if found:
            yield Finding(host.title, WRONG, found, AGAIN)
            continue
        for event, command in _commands(record):
            if not layout.is_of_events(command):
                yield _hook(host, event, command)
            elif event == "SessionStart":
                yield _start_of_session(host, command)
        if any(entry["path"][-1] == layout.PREFIX_VARIABLE for entry in record["entries"]):
            yield from _prefix(host)
    if host.name == "claude":
        yield from _in_force(records)
        yield from _permissions()
        yield from plugin_checks.of_listeners(records)


def _still_there(record: dict[str, Any]) -> str:
    """Return what is missing of an installation, "" when all is as it was put there."""
    try:
        with open(record["path"], encoding="utf-8") as file:
            root = json_edit.read(file.read())
    except (OSError, ValueError) as error:
        return f"{record['path']} cannot be read: {error}"
    for entry in record["entries"]:
        node = json_edit.find(root, tuple(entry["path"]))
        there = node is not None and (entry["value"] in node.value if entry["item"] else entry["value"] == node.value)
        if not there:
            return f"{'.'.join(entry['path'])} in {record['path']} is not what was put there"
    return ""


def _commands(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the event and the command of every hook of ours in the file."""
    with open(record["path"], encoding="utf-8") as file:
        yield from _hooks_in(json_edit.read(file.read()).value, "")


def _hooks_in(value: Any, event: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        command = value.get("command")
        if isinstance(command, str) and command.startswith(shlex.quote(layout.launcher_path("hook"))):
            yield event, command
        for key, each in value.items():
            yield from _hooks_in(each, key if key in _EVENTS else event)
    elif isinstance(value, list):
        for each in value:
            yield from _hooks_in(each, event)


def _hook(host: layout.Host, event: str, command: str) -> Finding:
    subject = f"{host.title}, {event}"
    sent, wanted = events(host.name, event)
    start = time.monotonic()
    done = _answered(command, sent)
    seconds = time.monotonic() - start
    if done.returncode or done.stderr:
        return Finding(subject, WRONG, f"the hook ended with {done.returncode} and printed on stderr", AGAIN)
    shown = done.stdout.decode("utf-8", "replace")
    if not shown.strip():
        return _silent(host, subject)
    if event == "PreToolUse":
        if wanted not in shown or ('"allow"' in shown and host.name != "codex"):
            return Finding(subject, WRONG, "the reply is not what it should be", "please report this")
        approved = "what your policy runs unasked is allowed" if host.name == "codex" else "nothing is approved"
        what = f"the command is rewritten, {approved}, {seconds * 1000:.0f} ms"
        return Finding(subject, OK if seconds < _SLOW else NOTE, what)
    return _judged(subject, done.returncode, 0, json.dumps(json.loads(shown)), seconds)


def _answered(command: str, sent: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Start a hook as a host does, in an empty folder, and hand it an event."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps({**sent, "cwd": folder}).encode(),
            capture_output=True,
            cwd=folder,
            env=_unrecorded(),
            timeout=_PATIENCE,
        )


def _start_of_session(host: layout.Host, command: str) -> Finding:
    """The hook for events may be silent, but never anything else than silent or JSON."""
    subject = f"{host.title}, SessionStart"
    start = time.monotonic()
    done = _answered(command, {"session_id": "doctor", "hook_event_name": "SessionStart", "source": "startup"})
    seconds = time.monotonic() - start
    try:
        well = not done.returncode and not done.stderr and (not done.stdout or isinstance(json.loads(done.stdout), dict))
    except ValueError:
        well = False
    if not well:
        return Finding(subject, WRONG, "the hook prints what the host cannot read", AGAIN)
    return Finding(subject, OK if seconds < _SLOW else NOTE, f"answered, {seconds * 1000:.0f} ms")


def _silent(host: layout.Host, subject: str) -> Finding:
    """A hook that says nothing about an event that it should answer: the user's own rules may want it so."""
    rules = permissions.load(os.environb, os.getcwd())
    if host.name == "claude" and rules.may_forbid("pytest -v"):
        return Finding(subject, NOTE, "silent, because your rules ask about or deny the command that was tried")
    if host.name in ("codex", "antigravity"):
        return Finding(subject, NOTE, "silent: your own policy or rules leave nothing that could be rewritten")
    return Finding(subject, WRONG, "the hook is silent about an event that it should answer", f"see {trouble.path()}; {AGAIN}")


def _prefix(host: layout.Host) -> Iterator[Finding]:
    """The host's frame around a command, and a text that is none of ours, through the installed prefix."""
    subject = f"{host.title}, shell prefix"
    with tempfile.TemporaryDirectory() as folder:
        runner = _fake_runner(folder)
        snapshot, cwd = f"{folder}/snapshot-bash-1.sh", f"{folder}/claude-doctor-cwd"
        with open(snapshot, "w", encoding="utf-8"):
            pass
        frame = f"source {snapshot} && eval '{runner} -v' \\< /dev/null && pwd -P >| {cwd}"
        start = time.monotonic()
        done = _through_prefix(frame)
        yield _judged(subject, done.returncode, 3, done.stdout.decode("utf-8", "replace"), time.monotonic() - start)
        other = _through_prefix(f"{runner} -v")
        same = other.returncode == 3 and other.stdout == OUTPUT.encode()
        what = "hooks and servers pass untouched" if same else "a text that is no command of the agent was changed"
        yield Finding(subject, OK if same else WRONG, what)
    set_to = os.environ.get(layout.PREFIX_VARIABLE)
    if set_to not in (None, "", layout.launcher_path("shell-prefix")):
        yield Finding(
            subject,
            NOTE,
            f"{layout.PREFIX_VARIABLE} is set to something else in this shell",
            "that one may win over the settings",
        )


def _unrecorded() -> dict[str, str]:
    """Return the environment in which nothing of a check is recorded or kept: it is no command of the user's."""
    kept = ("telemetry_enabled", "recall_enabled", "delta_enabled")
    return {**os.environ, **{KEYS[name].variable: "false" for name in kept}}


def _through_prefix(text: str) -> subprocess.CompletedProcess[bytes]:
    shell = "/bin/bash" if os.path.exists("/bin/bash") else "/bin/sh"
    line = f"{shlex.quote(layout.launcher_path('shell-prefix'))} {shlex.quote(text)}"
    return subprocess.run(
        [shell, "-c", line], stdin=subprocess.DEVNULL, stdout=-1, stderr=-2, timeout=_PATIENCE, env=_unrecorded()
    )


def _in_force(records: list[dict[str, Any]]) -> Iterator[Finding]:
    """Which mode applies and why, and what in other settings of Claude Code stands against it."""
    entries = [entry for record in records for entry in record["entries"] if not layout.is_of_events(entry["value"])]
    paths = [entry["path"] for entry in entries]
    by_prefix = ["env", layout.PREFIX_VARIABLE] in paths
    told = {"PreToolUse": "commands are rewritten before", "PostToolUse": "outputs are replaced after"}
    what = "prefix mode: commands are started through the shell prefix, failures are covered, nothing is rewritten"
    if not by_prefix:
        what = "; ".join(told[path[-1]] for path in paths if path[-1] in told)
    yield Finding("Claude Code, in force", OK, what)
    for path in permissions.settings_files(os.environb, os.getcwd()):
        settings = _readable(path)
        if settings is None:
            continue
        prefix = json_edit.find(settings, ("env", layout.PREFIX_VARIABLE))
        if by_prefix and prefix is not None and prefix.value != layout.launcher_path("shell-prefix"):
            what = f"{path} sets {layout.PREFIX_VARIABLE} to something else"
            yield Finding("Claude Code, in force", WRONG, what, "take it out, or run `token-saver init claude --mode hybrid`")
        disabled = json_edit.find(settings, ("disableAllHooks",))
        if not by_prefix and disabled is not None and disabled.value is True:
            what = f"`disableAllHooks` in {path} keeps the hooks from being started"
            yield Finding("Claude Code, in force", WRONG, what, "take it out, or run `token-saver init claude --mode prefix`")


def _readable(path: str) -> json_edit.Node | None:
    try:
        with open(path, encoding="utf-8") as file:
            return json_edit.read(file.read())
    except (OSError, ValueError):
        return None


def _permissions() -> Iterator[Finding]:
    rules = permissions.load(os.environb, os.getcwd())
    for path in rules.unreadable:
        yield Finding("permissions", WRONG, f"{path} cannot be read, so no command is rewritten", "correct the file")
    if rules.sources:
        what = f"{len(rules.binding)} rules deny or ask, {len(rules.allow)} allow; from {', '.join(rules.sources)}"
        yield Finding("permissions", OK, what)


def _log() -> Iterator[Finding]:
    try:
        with open(trouble.path(), encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    if lines:
        yield Finding(
            "log", NOTE, f"{len(lines)} failures of ours were met with silence, the last: {lines[-1]}", f"see {trouble.path()}"
        )
