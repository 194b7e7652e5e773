"""Claude Code: ``PreToolUse`` puts the wrapper into a command, ``PostToolUse`` replaces the output of one that succeeded.

The words behind the host's name are the mode: ``wrap``, ``post``, ``hybrid``, or ``prefix``, which works without these
events. The host shows the output of a failed command as it came, so what fails in bulk has to be wrapped beforehand.
"""

from __future__ import annotations

import posix

from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from token_saver.command_policy import Decision
    from token_saver.hosts.compiled import Compiled

NAME = "claude"
EVENTS = "events"
"""The word of a hook that hands the event to the plugins that want it."""
TOOL = "Bash"
_PERSISTED = ("persistedOutputPath", "persistedOutputSize")
_LARGEST = 256 << 20
"""Bytes of such a copy that is read at all while the host waits."""
_PLANNING = "plan"
"""The permission mode in which the host judges by itself what only reads; it is not to be told anything."""
_NEVER_ASKS = "dontAsk"
"""The permission mode in which a command that no rule allows is refused instead of asked about."""
_FAILING = protocol.words(
    "bundle cargo clang cmake ctest dotnet eslint flake8 g++ gcc go gradle gradlew jest make mocha mvn mvnw mypy ninja nox npm "
    "npx phpunit playwright pnpm pre-commit py.test pylint pyright pytest rspec rubocop ruff swift tox tsc unittest vitest "
    "xcodebuild yarn"
)
"""Programs whose failures are the bulk of what is read of them: builds, tests and linters."""


def answer(event: Mapping[str, Any], words: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the reply to *event*, None to have no opinion."""
    kind = event.get("hook_event_name")
    mode = words[0] if words else ""
    if mode == EVENTS:
        return _heard(event)
    command = protocol.command_in(event, "tool_input", "command")
    if _has_our_prefix():
        return None
    if event.get("tool_name") != TOOL or not command:
        return None
    if kind == "PreToolUse" and mode in ("wrap", "hybrid"):
        return _before(event, command, only_failing=mode == "hybrid")
    if kind == "PostToolUse" and mode in ("post", "hybrid"):
        return _after(event, command)
    return None


def _heard(event: Mapping[str, Any]) -> Mapping[str, Any] | None:
    from token_saver.hosts import compiled, listeners

    if compiled.is_switched_off():
        return None
    starts = event.get("hook_event_name") == "SessionStart"
    if starts:
        from token_saver.hosts import session

        session.name_for_commands(event)
    ours = compiled.Compiled()
    said = session.savings(event, ours.settings) if starts else ""
    return listeners.heard(NAME, event, ours.registry, said)


def _has_our_prefix() -> bool:
    """Tell whether commands come through our shell prefix: then nothing is left to do, and nothing is to be done twice."""
    prefix = posix.environ.get(b"CLAUDE_CODE_SHELL_PREFIX", b"").replace(b"_", b"-")
    return b"token-saver" in prefix and b"shell-prefix" in prefix


def _before(event: Mapping[str, Any], command: str, *, only_failing: bool) -> Mapping[str, Any] | None:
    asked = protocol.table(event, "tool_input")
    if asked.get("run_in_background") or event.get("permission_mode") == _PLANNING:
        return None
    from token_saver.hosts import compiled

    if compiled.is_switched_off() or not (ours := compiled.Compiled()).knows(command):
        return None
    if ours.wraps_at_once(command):
        program = command.partition(" ")[0].rpartition("/")[2]
        rewritten = None if only_failing and program not in _FAILING else compiled.wrapped_whole(command)
    else:
        rewritten = _rewritten(ours, command, only_failing=only_failing)
    if rewritten is None and "token_saver=" in command.lower():
        ours.report_escape(command, NAME, protocol.text(event, "session_id"), protocol.text(event, "cwd"))
    if rewritten is None or rewritten == command or compiled.is_too_long(rewritten):
        return None
    return _permitted(event, command, rewritten)


def _rewritten(ours: Compiled, command: str, *, only_failing: bool) -> str | None:
    """Return what to run in the place of a command that has to be read closely, None for the command itself."""
    from token_saver.hosts.compiled import launcher
    from token_saver.shell.rewrite import wrapped

    decision = ours.policy().explain_decision(command)
    if not decision.compressible or (only_failing and not _fails_in_bulk(decision)):
        return None
    return wrapped(command, decision, launcher())


def _permitted(event: Mapping[str, Any], command: str, rewritten: str) -> Mapping[str, Any] | None:
    """Return the reply that leaves the user's rules in force as they are; None where only silence does."""
    from token_saver.hosts import permissions

    rules = permissions.load(posix.environ, protocol.text(event, "cwd") or posix.getcwd())
    if rules.may_forbid(command):
        return None
    allowed = rules.allows(command)
    if not allowed and (event.get("permission_mode") == _NEVER_ASKS or rules.would_let_through(rewritten)):
        return None
    output: dict[str, Any] = {"hookEventName": "PreToolUse"}
    if allowed:
        output["permissionDecision"] = "allow"
        output["permissionDecisionReason"] = "your own rules allow the command; token-saver shortens its output"
    output["updatedInput"] = {**protocol.table(event, "tool_input"), "command": rewritten}
    return {"hookSpecificOutput": output}


def _fails_in_bulk(decision: Decision) -> bool:
    eligible = [part for part in decision.parts if part.eligible]
    return any(part.pattern.partition(" ")[0] in _FAILING for part in eligible)


def _after(event: Mapping[str, Any], command: str) -> Mapping[str, Any] | None:
    response = protocol.table(event, "tool_response")
    stdout, stderr = response.get("stdout"), response.get("stderr", "")
    if not isinstance(stdout, str) or not isinstance(stderr, str) or response.get("interrupted") or response.get("isImage"):
        return None
    if not stdout and not stderr:
        return None
    from token_saver.hosts import compiled

    if compiled.is_switched_off():
        return None
    ours = compiled.Compiled()
    ours.session, ours.folder = protocol.text(event, "session_id"), protocol.text(event, "cwd")
    if not _may_be_shortened(ours, command):
        return None
    shown, errors = _shown(ours, command, stdout, response), ours.masked(stderr)
    ours.report(NAME, "post", (len(stdout) + len(stderr), len(shown) + len(errors)), 0)
    if shown == stdout and errors == stderr:
        return None
    kept = {key: value for key, value in response.items() if key not in _PERSISTED}
    return {
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": {**kept, "stdout": shown, **({"stderr": errors} if "stderr" in response else {})},
        }
    }


def _may_be_shortened(ours: Compiled, command: str) -> bool:
    """Whether the command neither says itself that it is to be left alone nor prints what programs read."""
    from token_saver.command_policy import CONSTRUCT, SUBSTITUTION, UNKNOWN

    decision = ours.policy().explain_decision(command)
    return decision.compressible or decision.rule in (CONSTRUCT, SUBSTITUTION, UNKNOWN)


def _shown(ours: Compiled, command: str, stdout: str, response: Mapping[str, Any]) -> str:
    """Return what to show of the whole output: the persisted copy where the host cut it, unless the cut is shorter."""
    path = protocol.text(response, "persistedOutputPath")
    found = _persisted(path, int(ours.settings["max_output_bytes"])) if path else (stdout, False)
    if found is None:
        return ours.masked(stdout)
    whole, is_reduced = found
    shown = ours.shortened(command, whole, 0, is_reduced=is_reduced)
    if shown is None:
        shown = ours.masked(whole) if is_reduced else whole
    return shown if not path or len(shown) < len(stdout) else ours.masked(stdout)


def _chunks(descriptor: int) -> Iterator[bytes]:
    while chunk := posix.read(descriptor, 1 << 20):
        yield chunk


def _persisted(path: str, most: int) -> tuple[str, bool] | None:
    """Return the copy of an output that the host keeps, and whether it is reduced; None when it is not a file of ours.

    What is larger than *most* is not taken whole: both ends and the failures between them are.
    """
    from token_saver.hosts.compiled import reduced

    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK)
    except (OSError, ValueError):
        return None
    try:
        found = posix.fstat(descriptor)
        if found.st_mode & 0o170000 != 0o100000 or found.st_uid != posix.geteuid() or found.st_size > _LARGEST:
            return None
        if found.st_size <= most:
            raw, is_reduced = b"".join(_chunks(descriptor)), False
        else:
            raw, is_reduced = reduced(_chunks(descriptor))
        return raw.decode("utf-8", "replace"), is_reduced
    finally:
        posix.close(descriptor)
