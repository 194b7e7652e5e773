"""From what a command printed to what is shown of it, with no more imported than this command needs."""

from __future__ import annotations

import posix

from token_saver import snapshot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from token_saver.engine import CompressionEngine, Result
    from token_saver.processor import Processor

TINY = 120
"""Bytes below which no output is worth a family's import."""
SMALL = 1500
"""Bytes below which an output that no family knows has nothing to gain, unless it has control characters in it."""
_WORD_ENDS = str.maketrans(dict.fromkeys("\"'`\\$(){}[]<>|&;=/\n\t", " "))
_PREFIX = b"TOKEN_SAVER_"
_OURS = ("token-saver", "token_saver", "entry.py")


class Shortener:
    """Shortens the output of one command, its *label*."""

    def __init__(self, label: str, registry: snapshot.Snapshot, place: str) -> None:
        self._label = label
        self._registry = registry
        self._place = place
        self._engine: CompressionEngine | None = None
        self._is_prepared = False
        self.settings = effective(registry)
        self.keeps = bool(self.settings["delta_enabled"] or self.settings["recall_enabled"])
        self.session = ""
        self.folder = ""
        self.host = ""
        self.mode = ""
        self._started = _now()
        self._size = 0
        self._result: Result | None = None
        words = label.translate(_WORD_ENDS).split()
        self._recalls = "recall" in words and any(name in words for name in _OURS)
        # A superset of the commands that some processor does read.
        self._is_known = bool(registry.content["asked"]) or any(map(registry.knows, words))

    def prepare(self) -> None:
        """Import what reads this command, if any processor does, while the command is still running."""
        if self._is_known and not self._is_prepared:
            self._is_prepared = True
            self._made_engine()

    def _made_engine(self) -> CompressionEngine:
        self._registry.extend_path()
        archive = snapshot.use_archive(self._place)
        from token_saver.engine import CompressionEngine
        from token_saver.processor import as_command

        disabled = frozenset(self.settings["disabled_processors"])
        first = self._registry.select(as_command(self._label), disabled)
        self._engine = CompressionEngine(
            self._with_chain(first, disabled),
            self.settings,
            select_inner=lambda command: self._registry.select(command, disabled),
        )
        if archive is None or not archive.is_whole:
            snapshot.discard(self._place)
        return self._engine

    def shown(self, raw: bytes, status: int, *, reduced: bool, whole: Callable[[], bytes | None] | None = None) -> bytes | None:
        """Return what to show in the place of *raw*; None for *raw* itself. *whole* returns all of it where it is reduced."""
        if self.settings["enabled"] is False or not (raw or (self.keeps and self._is_known)):
            return None
        text = raw.decode("utf-8", "surrogateescape")
        self._size = len(text)
        if self._recalls or self._has_nothing_to_gain(raw):
            return self._masked(text)
        try:
            result = (self._engine or self._made_engine()).run(self._label, text, status, reduced=reduced)
        except Exception:
            return self._masked(text)
        self._result = result
        if self.keeps and (whole is not None or not reduced):
            told = self._retained(text, status, result, whole if reduced else None)
            if told is not None:
                return told.encode("utf-8", "surrogateescape")
        return result.output.encode("utf-8", "surrogateescape") if result.changed else None

    def never_ends(self) -> bool:
        """Tell whether the command, alone as it stands, is known to stream until somebody ends it."""
        from token_saver.processor import as_command
        from token_saver.shell.behaviour import behaviour
        from token_saver.shell.behaviour_table import ENDLESS

        line = as_command(self._label)
        return len(line.segments) == 1 and not line.piped and behaviour(line) == ENDLESS

    def masked(self, raw: bytes) -> bytes:
        """Return *raw* with its secrets masked, unless the settings say otherwise."""
        shown = self._masked(raw.decode("utf-8", "surrogateescape"))
        return raw if shown is None else shown

    def report(self, shown: bytes | None, status: int | None, *, original: int = 0) -> None:
        """Have it recorded that *shown*, or the output itself when it is None, was delivered; nothing is raised.

        *original* is how many characters were printed, where less than that was to be read.
        """
        original = original or self._size
        self.report_sizes(original, original if shown is None else len(shown.decode("utf-8", "surrogateescape")), status)

    def report_sizes(self, original: int, shown: int, status: int | None) -> None:
        """Have the sizes, in characters, of what was delivered recorded; of what printed nothing there is nothing to say."""
        if not original:
            return
        from token_saver.events import Outcome
        from token_saver.recorder import delivered

        result = self._result
        outcome = Outcome(
            self._label,
            processor="none" if result is None else result.processor,
            original=original,
            shown=shown,
            exit_code=status,
            seconds=max(0.0, _now() - self._started),
            mode=self.mode,
            host=self.host,
            session=self.session,
            cwd=self.folder,
            redacted=shown != original if result is None else result.redacted,
            mismatch=result.attempted if result is not None and result.mismatch else "",
        )
        try:
            delivered(outcome, self.settings, self._registry)
        except Exception as error:
            from token_saver.hosts import trouble

            trouble.note_once("recording", error)

    def _retained(self, text: str, status: int, result: Result, whole: Callable[[], bytes | None] | None) -> str | None:
        """Return what differs from the last run, or what ends in a way back to the whole; None for the ordinary result."""
        try:
            from token_saver.hosts.retained import Retention, session

            where = self.session or session(), self.folder or posix.getcwd()
            retention = Retention(self.settings, *where, self._started)
            return retention.answer(self._engine or self._made_engine(), self._label, text, status, result, whole=whole)
        except Exception:
            return None

    def _has_nothing_to_gain(self, raw: bytes) -> bool:
        if self.keeps and self._is_known:
            return False
        if len(raw) < TINY:
            return True
        return len(raw) < SMALL and not self._is_known and b"\x1b" not in raw and b"\r" not in raw

    def _masked(self, text: str) -> bytes | None:
        if self.settings["redact"] is False:
            return None
        from token_saver.redaction import mask

        shown, masked = mask(text, frozenset(self.settings["redaction_allowlist"]))
        return shown.encode("utf-8", "surrogateescape") if masked else None

    def _with_chain(self, first: Processor, disabled: frozenset[str]) -> Iterable[Processor]:
        """Return *first*, the processors that may read its result next, and the fallback."""
        found = {first.name: first}
        waiting = _names(first)
        while waiting:
            name = waiting.pop()
            following = None if name in found or name in disabled else self._registry.named(name)
            if following is not None:
                found[name] = following
                waiting += _names(following)
        fallback = self._registry.fallback()
        return {**found, fallback.name: fallback}.values()


def _now() -> float:
    from time import time

    return time()


def _names(processor: Processor) -> list[str]:
    chain = processor.chain_to
    return [chain] if isinstance(chain, str) else list(chain or ())


def effective(registry: snapshot.Snapshot) -> dict[str, Any]:
    """Return the settings as they stand here and now: the snapshot's, unless a project or the environment says more."""
    settings = registry.settings
    if not _environment_speaks(settings) and not _project_speaks():
        return settings
    from token_saver.settings import load_over

    return load_over(settings).as_dict()


def _environment_speaks(settings: dict[str, Any]) -> bool:
    return any(
        name.startswith(_PREFIX) and name[len(_PREFIX) :].decode("utf-8", "replace").lower() in settings for name in posix.environ
    )


def _project_speaks() -> bool:
    """Tell whether there is a project file in any folder from here up; which of them counts is for the settings to say."""
    try:
        folder = posix.getcwd()
    except OSError:
        return False
    while True:
        if snapshot.stamp(f"{folder}/.token-saver.toml"):
            return True
        if not folder.strip("/"):
            return False
        folder = folder.rpartition("/")[0]
