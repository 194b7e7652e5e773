"""Every setting, defined once: its name, type, default, range, who may set it, and one sentence of help.

The reader (``settings``), ``token-saver config`` and ``docs/configuration.md`` all work from this table.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = bool | int | float | str | tuple[str, ...]

USER = ""
"""A project file may not set it: the user file and the environment may."""
RAISE = "raise"
"""A project file may raise it, which leaves more of an output as it was."""
LOWER = "lower"
"""A project file may lower it (or switch it off), which leaves more of an output as it was."""


class Key:
    """One setting. ``off`` is the value that lifts a limit, if there is one; ``project`` is USER, RAISE or LOWER."""

    __slots__ = ("default", "help", "high", "low", "name", "off", "project")

    def __init__(
        self,
        name: str,
        default: Value,
        help: str,  # noqa: A002
        *,
        low: float = 0,
        high: float = 0,
        off: int | None = None,
        project: str = USER,
    ) -> None:
        self.name = name
        self.default = default
        self.help = help
        self.low = low
        self.high = high
        self.off = off
        self.project = project

    @property
    def kind(self) -> type:
        """The type of its values; a ``float`` setting takes whole numbers too, a ``tuple`` is written as a list."""
        return type(self.default)

    @property
    def scope(self) -> str:
        """``project`` when a project file may set it, else ``user``."""
        return "project" if self.project else "user"

    @property
    def variable(self) -> str:
        """The environment variable that sets it."""
        return "TOKEN_SAVER_" + self.name.upper()

    def in_range(self, value: float) -> bool:
        """Tell whether a number is allowed."""
        return value == self.off or self.low <= value <= self.high

    def allows_in_project(self, value: Value, current: Value) -> bool:
        """Tell whether a project file may put *value* in the place of *current*: never towards showing less."""
        rank, before = self._rank(value), self._rank(current)
        return (self.project == RAISE and rank >= before) or (self.project == LOWER and rank <= before)

    def _rank(self, value: Value) -> float:
        if value == self.off:
            return float("inf")
        return float(value) if isinstance(value, (int, float)) else 0.0


_TABLE = (
    Key("enabled", True, "Shorten output at all. Off means every output stays as it was, secrets in it too."),
    Key("disabled_processors", (), "Names of processors that are left out; `generic` cannot be."),
    Key(
        "min_input_length",
        1,
        "Outputs with fewer characters are left as they are.",
        low=0,
        high=100_000_000,
        project=RAISE,
    ),
    Key(
        "min_compression_ratio",
        0.0,
        "The least part of the characters that must go for a result to be used: 0.2 asks for a fifth.",
        low=0,
        high=1,
        project=RAISE,
    ),
    Key("min_gain", 1, "The least number of characters that must go.", low=1, high=100_000_000, project=RAISE),
    Key(
        "max_chain_depth",
        3,
        "How many further processors one processor may hand its result to.",
        low=0,
        high=10,
        project=LOWER,
    ),
    Key(
        "recover_critical_lines",
        20,
        "How many lines that look like errors are brought back when a processor drops them.",
        low=0,
        high=10_000,
        project=RAISE,
    ),
    Key(
        "max_result_tokens",
        0,
        "Ceiling on a result, in estimated tokens; errors are kept first.",
        low=50,
        high=10_000_000,
        off=0,
        project=RAISE,
    ),
    Key(
        "max_output_bytes",
        10_000_000,
        "Largest output, in bytes, that is kept whole: `compress` and `replay` refuse more, `run` reduces it while it streams.",
        low=65_536,
        high=1_000_000_000,
    ),
    Key(
        "family_limit_chars",
        1_000_000,
        "Characters of one output that a family reads; beyond them the streaming reducer takes the middle (not of JSON).",
        low=10_000,
        high=100_000_000,
    ),
    Key("wrap_timeout", 0, "Seconds after which a wrapped command is ended.", low=1, high=604_800, off=0),
    Key(
        "show_after_silence",
        30,
        "Seconds without a word after which what a command printed is shown, masked and whole, and then every line as it comes.",
        low=1,
        high=86_400,
        off=0,
    ),
    Key("redact", True, "Mask secrets in everything that is shown, stored or logged."),
    Key("redaction_allowlist", (), "Names whose values are not masked, and kinds of secrets that are not looked for."),
    Key("user_processors_dir", "", "Folder with processors of your own; empty means none."),
    Key("chars_per_token", 4.0, "Characters that count as one token in estimates.", low=0.1, high=100),
    Key(
        "source_outline",
        False,
        "Show long source files as an outline instead of whole; needs the navigator plugin.",
        project=LOWER,
    ),
    Key("delta_enabled", False, "Keep the masked findings of a run and show the next run of a session as the difference."),
    Key("delta_retention_hours", 24, "Hours after which a kept run is deleted.", low=1, high=168),
    Key("delta_max_runs", 100, "How many runs are kept.", low=1, high=1000),
    Key(
        "telemetry_enabled",
        True,
        "Record sizes, programs with their subcommands and processors, on this machine alone, for `token-saver stats`.",
    ),
    Key("telemetry_store_commands", False, "Record whole command lines, masked, in the place of program and subcommand."),
    Key("telemetry_journal", False, "Keep a journal of all records beside the statistics, for audits: `audit.jsonl`."),
    Key("db_prune_days", 90, "Days after which records are deleted.", low=1, high=3650),
    Key("recall_enabled", False, "Keep the full masked output behind what was left out, for `token-saver recall`."),
    Key("recall_retention_hours", 24, "Hours after which a kept output is deleted.", low=1, high=168),
    Key("recall_max_outputs", 200, "How many outputs are kept.", low=1, high=10_000),
    Key(
        "recall_max_bytes",
        50_000_000,
        "How many bytes all kept outputs may have, compressed.",
        low=65_536,
        high=10_000_000_000,
    ),
)

KEYS = {key.name: key for key in _TABLE}
