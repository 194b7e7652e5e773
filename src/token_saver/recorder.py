"""What is done with a command after its output was delivered: it is recorded, and observers of plugins are told.

Part of the hot path: nothing is imported but the spool. Whatever fails here is for the caller to note; it comes too late to
change any output.
"""

from __future__ import annotations

import posix

from token_saver.telemetry import spool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from token_saver.events import Outcome
    from token_saver.snapshot import Snapshot
    from token_saver.telemetry.spool import Record
    from token_saver.telemetry.writer import Factory

SESSION_VARIABLES = (b"TOKEN_SAVER_SESSION", b"CLAUDE_CODE_SESSION_ID")
_HOSTS = (
    (b"CLAUDECODE", "claude"),
    (b"GEMINI_CLI", "gemini"),
    (b"CODEX_SANDBOX", "codex"),
    (b"ANTIGRAVITY_AGENT", "antigravity"),
)
_SLOW = 2.0
"""Seconds of a command beside which a process that takes the spool in is nothing."""
_MUCH = 256 << 10
"""Bytes of a spool that are worth one."""
_LONGEST = 2000
_BREAKS = str.maketrans(dict.fromkeys(";|&\n(){}", "\n"))
_BEFORE = frozenset({"builtin", "command", "env", "exec", "nice", "nohup", "sudo", "time", "then", "do", "else", "!"})
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")
_LONGEST_NAME = 40
_MORE = (
    " -v -vv -vvv --verbose -l --showlocals --full-trace --tb=long --tb=auto -rA -ra --no-truncate --show-error-context "
    "--pretty --full --all --output-format=full --stacktrace --info --debug token_saver=off token_saver=0 "
)
_HAVE_SUBCOMMANDS = (
    " apt apt-get aws az brew bundle cargo composer conda deno dnf docker dotnet flutter gcloud gem gh git glab go helm hg jj "
    "kubectl mix npm oc pip pip3 pnpm podman poetry ruff rustup svn swift systemctl terraform tofu uv yarn "
)
"""Programs whose first word names what they do, and never what a user works on."""
_LOWER = frozenset("abcdefghijklmnopqrstuvwxyz-")
_PRIME = 65_521


def delivered(
    outcome: Outcome, settings: Mapping[str, Any], registry: Snapshot | None = None, *, factory: Factory | None = None
) -> None:
    """Record *outcome* where the settings allow it, and tell the observers that *registry* lists.

    Raises whatever the writer raises; an observer that fails is left out, and its error is raised when all were told.
    """
    failed: Exception | None = None
    if settings["telemetry_enabled"]:
        try:
            _record(outcome, settings, registry, factory)
        except Exception as error:
            failed = error
    for row in () if registry is None else registry.content["observers"]:
        module, _, function = row.partition("\t")
        try:
            getattr(__import__(module, fromlist=[function]), function)(outcome)
        except Exception as error:
            failed = error
    if failed is not None:
        raise failed


def recalled(characters: int, *, command: str, processor: str, settings: Mapping[str, Any]) -> None:
    """Record that *characters* of a kept output of *command* were brought back; a failure is none of whoever reads them."""
    if not settings["telemetry_enabled"]:
        return
    from token_saver import snapshot

    record = _made(spool.RECALL, command, settings, snapshot.read(snapshot.folder(posix.environ)))
    record.processor, record.shown = processor, characters
    try:
        _write(record, settings)
    except Exception:
        return


def escaped(
    command: str, *, host: str, session: str, cwd: str, settings: Mapping[str, Any], registry: Snapshot | None = None
) -> None:
    """Record that *command* asks itself not to be shortened; raises OSError."""
    if settings["telemetry_enabled"]:
        record = _made(spool.ESCAPE, command, settings, registry)
        record.host, record.session, record.folder = host or record.host, session or record.session, _safe(cwd or record.folder)
        _write(record, settings)


def _write(record: Record, settings: Mapping[str, Any]) -> None:
    spool.SpoolWriter(spool.folder(posix.environ)).record_saving(record)
    if settings["telemetry_journal"]:
        _journalise(record)


def _record(outcome: Outcome, settings: Mapping[str, Any], registry: Snapshot | None, factory: Factory | None) -> None:
    record = _made(spool.RUN, outcome.label, settings, registry)
    record.session, record.host = outcome.session or record.session, outcome.host or record.host
    record.folder = _safe(outcome.cwd) if outcome.cwd else record.folder
    record.mode, record.processor, record.status = outcome.mode, outcome.processor, outcome.exit_code
    record.original, record.shown = outcome.original, outcome.shown
    record.millis, record.redacted = int(outcome.seconds * 1000), int(outcome.redacted)
    writer = spool.SpoolWriter(spool.folder(posix.environ)) if factory is None else factory()
    try:
        writer.record_saving(record)
        if settings["telemetry_journal"]:
            _journalise(record)
        if outcome.mismatch:
            record.kind, record.processor = spool.MISMATCH, outcome.mismatch
            writer.record_mismatch(record)
    finally:
        writer.close()
    if outcome.seconds > _SLOW and getattr(writer, "size", 0) > _MUCH:
        from token_saver.telemetry.apart import take_in_apart

        take_in_apart()


def _journalise(record: Record) -> None:
    from token_saver.telemetry import journal

    journal.of(spool.folder(posix.environ)).add(record)


def _made(kind: str, label: str, settings: Mapping[str, Any], registry: Snapshot | None) -> Record:
    from time import time_ns

    check, more = checked(label)
    record = spool.Record(kind, time_ns(), check=check, more=more)
    record.command = _masked_line(label) if settings["telemetry_store_commands"] else named(label, registry)
    record.session = _first_of(SESSION_VARIABLES)
    record.host = next((name for variable, name in _HOSTS if posix.environ.get(variable)), "")
    record.folder = _safe(_here())
    return record


def named(label: str, registry: Snapshot | None) -> str:
    """Return the program of a command line, and those of its words that are in our own tables: nothing that a user made up.

    Of several commands it is the first one whose program some processor reads, else the first one.
    """
    first = ""
    for part in label[:_LONGEST].translate(_BREAKS).split("\n"):
        words = [word for word in part.split() if word not in _BEFORE]
        while words and "=" in words[0]:
            words.pop(0)
        if not words:
            continue
        program = words[0].rpartition("/")[2]
        if registry is not None and registry.knows(program):
            return _known(program, words[1:], registry)
        first = first or program
    name = first if _PLAIN.issuperset(first) and len(first) <= _LONGEST_NAME else ""
    return _safe(name) or "?"


def _known(program: str, words: list[str], registry: Snapshot) -> str:
    found = program
    for word in words[:3]:
        longer = f"{found} {word}"
        decisions = registry.content["decisions"]
        if f";{longer}=" not in decisions and f";{longer} " not in decisions:
            break
        found = longer
    return found if found != program else f"{program} {_subcommand(program, words)}".rstrip()


def _subcommand(program: str, words: list[str]) -> str:
    while program == "git" and words[:1] and words[0] in ("-C", "-c"):
        words = words[2:]
    first = words[0] if words and f" {program} " in _HAVE_SUBCOMMANDS else "-"
    return first if _LOWER.issuperset(first) and first[0] != "-" and len(first) <= _LONGEST_NAME // 2 else ""


def checked(label: str) -> tuple[int, int]:
    """Return 16 bits of a checksum of what a command line looks at, and 1 when it asks for more than the plain command.

    Options that ask for more, filters behind the command, and words that switch us off do not count.
    """
    looked, bar, _ = label.partition("|")
    words = looked.split()
    base = [word for word in words if f" {word} " not in _MORE and f" {word.lower()} " not in _MORE]
    return int.from_bytes(" ".join(base).encode("utf-8", "surrogatepass"), "little") % _PRIME, int(
        bool(bar) or len(base) < len(words)
    )


def _masked_line(label: str) -> str:
    from token_saver.redaction import mask_command

    return mask_command(label)


def _safe(text: str) -> str:
    from token_saver.redaction import mask

    return mask(text)[0]


def _first_of(variables: tuple[bytes, ...]) -> str:
    found = next((value for name in variables if (value := posix.environ.get(name, b""))), b"")
    return found.decode("utf-8", "replace")


def _here() -> str:
    try:
        return posix.getcwd()
    except OSError:
        return ""
