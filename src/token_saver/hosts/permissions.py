"""The permission rules of Claude Code for its Bash tool: which rules there are, and what they say about a command.

The host matches its rules against the input that a hook answered, so a rewritten command escapes from rules that were
written for the original. What is asked here is therefore asked about the original, and in doubt the answer is the one that
leaves the command alone: a rule that forbids or asks matches as widely as any reading of it, one that allows as narrowly.

Rules stand in ``permissions.deny``, ``.ask`` and ``.allow`` of the managed, the user's, the project's and the local settings.
Their forms: ``Bash``, ``Bash(git status)``, ``Bash(git diff:*)``, ``Bash(npm run test *)``.
"""

from __future__ import annotations

import posix
import sys

from token_saver import snapshot
from token_saver.hosts import protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from token_saver.shell.script import Script, Simple

TOOL = "Bash"
_FILE_TOOLS = frozenset({"Edit", "Glob", "Grep", "Read", "Write", "NotebookEdit"})
_FILE_PROGRAMS = protocol.words(
    "awk bat cat cp cut diff egrep fd fgrep file find grep head jq less ls more mv nl od rg sed sort stat strings tac tail "
    "tee tree uniq wc xxd"
)
"""Programs whose files the host holds against its rules for reading and writing files."""
_LAUNCHER_WORDS = 24
"""Behind how many words of launchers (``timeout 60``, ``env CI=1``) a command is looked for."""
_MOST_COMMANDS = 200
"""A line with more commands than this is held for one that a rule could be about."""
_HARMLESS_TARGETS = frozenset({"/dev/null", "1", "2"})
_OURS = ("token-saver", "entry.py")
_BINDING = ("deny", "ask")
_MANAGED = {"darwin": "/Library/Application Support/ClaudeCode"}
_MANAGED_ELSEWHERE = "/etc/claude-code"


class Rules:
    """The rules of all settings. ``unreadable`` names the files that could not be read: what they forbid is not known."""

    def __init__(self) -> None:
        self.allow: list[str] = []
        self.binding: list[str] = []
        self.sources: list[str] = []
        self.unreadable: list[str] = []

    def may_forbid(self, command: str) -> bool:
        """Tell whether some rule that denies or asks could be about *command* or any part of it."""
        if self.unreadable:
            return True
        bodies = [body for body in map(_body, self.binding) if body is not None]
        guards_files = any(rule.partition("(")[0] in _FILE_TOOLS for rule in self.binding)
        if not bodies and not guards_files:
            return False
        from token_saver.shell.command_line import read_script
        from token_saver.shell.launchers import program_name
        from token_saver.shell.script import walk

        script = read_script(command)
        if script is None or sum(1 for _ in walk(script)) > _MOST_COMMANDS:
            return True
        texts = {command.strip(), *_readings(script, command)}
        if any(_could_match(body, text) for body in bodies for text in texts):
            return True
        return guards_files and any(program_name(text.partition(" ")[0]) in _FILE_PROGRAMS for text in texts)

    def allows(self, command: str) -> bool:
        """Tell whether the user's own rules let every part of *command* run without a question."""
        bodies = [body for body in map(_body, self.allow) if body is not None]
        if not bodies or self.unreadable:
            return False
        from token_saver.shell.command_line import read_script
        from token_saver.shell.script import Simple, walk

        script = read_script(command)
        if script is None:
            return False
        commands = list(walk(script))
        return all(isinstance(each, Simple) and _is_plain(each) and _allowed(_typed(each), bodies) for each in commands)

    def would_let_through(self, rewritten: str) -> bool:
        """Tell whether a rule that allows is about the wrapper in *rewritten*: it would vouch for what it was not written for.

        A rule that allows every command lets the original through just so.
        """
        bodies = [body for body in map(_body, self.allow) if body is not None]
        if not bodies or "*" in bodies:
            return False
        from token_saver.shell.command_line import read_script

        script = read_script(rewritten)
        texts = {rewritten.strip()} if script is None else {rewritten.strip(), *_readings(script, rewritten)}
        return any(_could_match(body, text) for body in bodies for text in texts if any(name in text for name in _OURS))


def load(environ: Mapping[bytes, bytes], directory: str) -> Rules:
    """Return the rules that hold in *directory*; those of folders above it bind too, but allow nothing."""
    rules = Rules()
    managed = _managed_files()
    only_managed = any(table.get("allowManagedPermissionRulesOnly") is True for _, table in _settings(managed, rules))
    project = snapshot.variable(environ, "CLAUDE_PROJECT_DIR") or directory
    own = list(dict.fromkeys([*_user_files(environ), *_of_project(project)]))
    for path, settings in _settings([*managed, *own], rules):
        rules.sources.append(path)
        _add(rules, settings, allow=not only_managed or path in managed)
    above = [path for folder in _above(directory) for path in _of_project(folder) if path not in own]
    for path, settings in _settings(above, rules):
        rules.sources.append(path)
        _add(rules, settings, allow=False)
    return rules


def settings_files(environ: Mapping[bytes, bytes], directory: str) -> list[str]:
    """Return where the settings that apply in *directory* may be, whether they are there or not."""
    project = snapshot.variable(environ, "CLAUDE_PROJECT_DIR") or directory
    return list(dict.fromkeys([*_managed_files(), *_user_files(environ), *_of_project(project)]))


def managed_folder() -> str:
    """Return where an organisation puts its settings."""
    return _MANAGED.get(sys.platform, _MANAGED_ELSEWHERE)


def user_folder(environ: Mapping[bytes, bytes]) -> str:
    """Return the folder of the user's settings."""
    return snapshot.variable(environ, "CLAUDE_CONFIG_DIR") or (snapshot.variable(environ, "HOME") or "") + "/.claude"


def _managed_files() -> list[str]:
    folder = managed_folder()
    try:
        more = sorted(name for name in posix.listdir(folder + "/managed-settings.d") if name.endswith(".json"))
    except OSError:
        more = []
    return [folder + "/managed-settings.json", *(f"{folder}/managed-settings.d/{name}" for name in more)]


def _user_files(environ: Mapping[bytes, bytes]) -> list[str]:
    folder = user_folder(environ)
    return [folder + "/settings.json", folder + "/settings.local.json"]


def _of_project(folder: str) -> list[str]:
    return [f"{folder.rstrip('/')}/.claude/{name}.json" for name in ("settings", "settings.local")]


def _above(directory: str) -> Iterator[str]:
    while directory.startswith("/"):
        yield directory
        if not directory.strip("/"):
            return
        directory = directory.rstrip("/").rpartition("/")[0] or "/"


def _settings(paths: Sequence[str], rules: Rules) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in paths:
        try:
            raw = _content(path)
            if raw.strip():
                yield path, protocol.parse(raw)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, protocol.NotAnEventError):
            if path not in rules.unreadable:
                rules.unreadable.append(path)


def _content(path: str) -> bytes:
    descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    try:
        chunks = []
        while chunk := posix.read(descriptor, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        posix.close(descriptor)


def _add(rules: Rules, settings: Mapping[str, Any], *, allow: bool) -> None:
    permissions = settings.get("permissions", {})
    rules.binding += _outside_the_sandbox(settings)
    for key in ("allow", *_BINDING) if isinstance(permissions, dict) else ():
        found = permissions.get(key, [])
        listed = found if isinstance(found, list) else [found]
        if key == "allow":
            rules.allow += [rule for rule in listed if isinstance(rule, str) and allow]
        else:
            rules.binding += [rule if isinstance(rule, str) else TOOL for rule in listed]


def _outside_the_sandbox(settings: Mapping[str, Any]) -> list[str]:
    """Return the commands that the host runs outside of its sandbox, as rules: rewritten, they would run inside of it."""
    sandbox = settings.get("sandbox")
    found = sandbox.get("excludedCommands") if isinstance(sandbox, dict) else None
    listed = found if isinstance(found, list) else []
    return [f"{TOOL}({text.removesuffix(':*').removesuffix('*').rstrip()}:*)" for text in listed if isinstance(text, str)]


def _body(rule: str) -> str | None:
    """Return what stands in the parentheses of a rule about Bash, "*" for all commands; None for a rule about another tool."""
    tool, opened, rest = rule.strip().partition("(")
    tool = tool.strip()
    if tool != TOOL:
        return "*" if tool in ("", "*") or (tool.endswith("*") and TOOL.startswith(tool.rstrip("*"))) else None
    body = rest.rstrip().removesuffix(")").strip() if opened else "*"
    return "*" if body in ("", ":*") else body


def _could_match(body: str, text: str) -> bool:
    """The widest reading: a prefix needs no end of a word, and blanks count once."""
    pattern = " ".join(body.split())
    told = " ".join(text.split())
    if pattern.endswith(":*"):
        return _fits(pattern.removesuffix(":*").rstrip() + "*", told)
    if pattern.endswith(" *"):
        return _fits(pattern.removesuffix(" *") + "*", told)
    return _fits(pattern, told)


def _allowed(text: str, bodies: Sequence[str]) -> bool:
    return any(_matches(body, text) for body in bodies)


def _matches(body: str, text: str) -> bool:
    """The narrowest reading: a prefix ends with a word, and the command is held against the rule as it was typed."""
    for ending in (":*", " *"):
        if body.endswith(ending):
            prefix = body.removesuffix(ending)
            return _fits(prefix, text) or _fits(prefix + " *", text)
    return _fits(body, text)


def _fits(pattern: str, text: str) -> bool:
    """Match a pattern whose only special character is ``*``, in linear time."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == text
    *middle, last = rest
    if len(text) < len(first) + len(last) or not text.startswith(first) or not text.endswith(last):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _typed(command: Simple) -> str:
    return " ".join(word.raw for word in command.words)


def _is_plain(command: Simple) -> bool:
    """Whether nothing but the words themselves is to be judged: no substitution, no variable set, no file written or read."""
    from token_saver.shell.launchers import unwrap
    from token_saver.shell.script import words_of

    if command.assignments or not command.words or any(word.scripts for word in words_of(command)):
        return False
    if not command.words[0].literal or unwrap([word.text for word in command.words]).script is not None:
        return False
    return all(
        redirect.operator in (">", ">>", ">&") and redirect.target.text in _HARMLESS_TARGETS for redirect in command.redirects
    )


def _readings(script: Script, source: str, depth: int = 4) -> Iterator[str]:
    """Yield every text that a rule could have been written for: each command as typed, unquoted, and behind its launchers."""
    from token_saver.shell.launchers import program_name
    from token_saver.shell.script import Simple, walk

    for pipeline in script.pipelines:
        yield source[pipeline.start : pipeline.end]
    for command in walk(script):
        if not isinstance(command, Simple):
            continue
        yield source[command.start : command.end]
        yield _typed(command)
        words = [word.text for word in command.words]
        for at in range(min(len(words), _LAUNCHER_WORDS)):
            yield " ".join(words[at:])
            if "/" in words[at]:
                yield " ".join((program_name(words[at]), *words[at + 1 :]))
        yield from _in_shell_text(words, depth)


def _in_shell_text(words: Sequence[str], depth: int) -> Iterator[str]:
    from token_saver.shell.command_line import read_script
    from token_saver.shell.launchers import unwrap

    text = unwrap(words).script
    inner = read_script(text) if text and depth else None
    if text and depth:
        yield text
    if inner is not None and text:
        yield from _readings(inner, text, depth - 1)
