"""Adds up runs: what they cost, what would have been saved, which were repeated, which tools nobody reads yet."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from token_saver.command_policy import BUILTIN, CONSTRUCT, SUBSTITUTION, UNKNOWN, CommandPolicy
from token_saver.core import compress
from token_saver.processor import as_command
from token_saver.shell.script import names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.command_policy import Decision
    from token_saver.discover.transcripts import Run
    from token_saver.engine import CompressionEngine
    from token_saver.extensions import Tokenizer
    from token_saver.registry import Registry
    from token_saver.shell.command_line import CommandLine

WORTH_A_FAMILY = 1_000
"""Tokens below which a tool that nobody reads is not named: its outputs are small or it is rare."""
_OTHER = "other"
_LONGEST_NAME = 40
_JOINTS = str.maketrans("", "", "-_.+")
_LONGEST_SUBCOMMAND = 20
_WITH_SUBCOMMANDS = names(
    "apt apt-get aws brew buildah bun bundle cargo composer conda crictl deno dnf docker docker-compose dotnet flutter gcloud "
    "gem gh git glab go helm kubectl mamba minikube mix nerdctl npm oc pip pip3 pnpm podman poetry pulumi rustup swift systemctl "
    "terraform tofu uv yarn"
)
"""Programs whose first operand names what they do and is nothing of the user's."""
_WHOLE = (CONSTRUCT, SUBSTITUTION, UNKNOWN)


class Row(NamedTuple):
    """One kind of command. Tokens are those of the outputs as the model read them; saved ones would not have been there.

    A repeat is a further run of the very same command line in the same session; *again* are the tokens of those whose output
    was the very same too.
    """

    name: str
    runs: int = 0
    failed: int = 0
    tokens: int = 0
    saved: int = 0
    repeats: int = 0
    again: int = 0


class Report(NamedTuple):
    """The result, with *rows* and *unknown* from the most tokens down. *counter* is the name of how tokens are counted."""

    counter: str
    runs: int
    copies: int
    total: Row
    rows: tuple[Row, ...]
    unknown: tuple[Row, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return it as a document."""
        return {
            "counter": self.counter,
            "runs": self.runs,
            "copies": self.copies,
            "total": _as_dict(self.total),
            "commands": [_as_dict(row) for row in self.rows],
            "repeated": [_as_dict(row) for row in repeated(self.rows)],
            "unknown": [_as_dict(row) for row in self.unknown],
        }


def repeated(rows: Iterable[Row]) -> list[Row]:
    """Return the rows with repeats, those first that told the same again at the greatest cost."""
    return sorted((row for row in rows if row.repeats), key=lambda row: (-row.again, -row.repeats, row.name))


class Tally:
    """Takes runs one by one and keeps of each only numbers, the name of its kind, and digests."""

    def __init__(self, engine: CompressionEngine, counter: Tokenizer) -> None:
        self._policy = CommandPolicy(claims=lambda line: claimed(line, engine.registry))
        self._engine = engine
        self._counter = counter
        self._rows: dict[tuple[str, bool], Row] = {}
        self._seen: set[bytes] = set()
        self._outputs: dict[bytes, set[bytes]] = {}
        self._copies = 0

    def take(self, run: Run) -> None:
        """Count a run; a session that was resumed repeats its past in a new file, and such copies count once."""
        identity = _digest(run.host, run.identifier, run.command)
        if identity in self._seen:
            self._copies += 1
            return
        self._seen.add(identity)
        decision = self._policy.explain_decision(run.command)
        name, unknown = kind(decision)
        tokens = self._counter.count(run.output)
        repeats, same = self._repeat(run)
        row = self._rows.get((name, unknown), Row(name))
        self._rows[name, unknown] = Row(
            name,
            row.runs + 1,
            row.failed + bool(run.status),
            row.tokens + tokens,
            row.saved + self._saved(run, decision, tokens),
            row.repeats + repeats,
            row.again + (tokens if same else 0),
        )

    def report(self) -> Report:
        """Return what was counted so far."""
        rows = tuple(sorted(self._rows.values(), key=lambda row: (-row.tokens, row.name)))
        known = {(row.name, row) for (_, unknown), row in self._rows.items() if unknown}
        total = Row("total", *(sum(values) for values in zip(*(row[1:] for row in rows), strict=True))) if rows else Row("total")
        return Report(
            self._counter.name,
            total.runs,
            self._copies,
            total,
            rows,
            tuple(row for row in rows if (row.name, row) in known and row.tokens >= WORTH_A_FAMILY),
        )

    def _saved(self, run: Run, decision: Decision, tokens: int) -> int:
        """Return the tokens that the output would have been shorter by, as it is where the whole of it may be replaced."""
        if not decision.compressible and decision.rule not in _WHOLE:
            return 0
        result = compress(run.command, run.output, run.status, compressor=self._engine)
        return max(0, tokens - self._counter.count(result.output)) if result.changed else 0

    def _repeat(self, run: Run) -> tuple[int, bool]:
        outputs = self._outputs.setdefault(_digest(run.host, run.session, run.command), set())
        output = _digest(run.output)
        told = output in outputs
        is_repeat = bool(outputs)
        outputs.add(output)
        return int(is_repeat), told


def claimed(line: CommandLine, registry: Registry) -> str:
    """Return the words by which a processor claims *line*, the program alone where it does so otherwise, "" when none does."""
    processor = registry.select(line)
    if processor is registry.fallback:
        return ""
    commands: tuple[str, ...] = getattr(processor, "commands", ())
    return max((_program(line), *filter(line.starts, commands)), key=len)


def kind(decision: Decision) -> tuple[str, bool]:
    """Return the program and subcommand that stand for a command line, and whether it is a tool that nobody reads yet.

    Of a line with several commands it is the first that a processor reads, else the first that is more than a builtin.
    """
    eligible = next((part for part in decision.parts if part.eligible), None)
    if eligible is not None:
        return eligible.pattern, False
    speaking = [part for part in decision.parts if part.rule != BUILTIN]
    if not speaking:
        return _program(decision.command) if not decision.parts else _OTHER, False
    return _program(speaking[0].text), speaking[0].rule == UNKNOWN


def _program(command: str) -> str:
    """Return the name of the program, with its subcommand where it has one; ``other`` for what a report should not show."""
    line = as_command(command)
    name, subcommand = line.program, line.subcommand
    if not _is_plain(name, _LONGEST_NAME):
        return _OTHER
    return f"{name} {subcommand}" if name in _WITH_SUBCOMMANDS and _is_plain(subcommand, _LONGEST_SUBCOMMAND) else name


def _is_plain(word: str, longest: int) -> bool:
    letters = word.translate(_JOINTS)
    return letters.isalnum() and letters.isascii() and len(word) <= longest


def _digest(*texts: str) -> bytes:
    return blake2b("\0".join(texts).encode("utf-8", "surrogatepass"), digest_size=12).digest()


def _as_dict(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "runs": row.runs,
        "failed": row.failed,
        "tokens": row.tokens,
        "saved_tokens": row.saved,
        "repeats": row.repeats,
        "repeated_tokens": row.again,
    }
