"""What a session is shown when outputs may be kept: differences between runs, a way back to what was left out, wider repeats.

Imported only where the user has switched on ``delta_enabled`` or ``recall_enabled``. Whatever fails here is noted in our log
and costs nothing: the ordinary result is shown.
"""

from __future__ import annotations

import os
from hashlib import sha256

from token_saver import store
from token_saver.delta import service, snapshots
from token_saver.hosts import trouble
from token_saver.hosts.compiled import launcher
from token_saver.processor import Processor as Base
from token_saver.processor import as_command
from token_saver.recall import outputs, repeats
from token_saver.redaction import mask, mask_command
from token_saver.text.machine import broken
from token_saver.text.markers import OPEN, has_marker, marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from token_saver.engine import CompressionEngine, Result
    from token_saver.processor import Processor
    from token_saver.recall.repeats import Asked
    from token_saver.shell.command_line import CommandLine

    Made = TypeVar("Made")

SESSION_VARIABLES = ("TOKEN_SAVER_SESSION", "CLAUDE_CODE_SESSION_ID")
_SIGNALLED = 128
_COMMENTS = (("# ", ""), ("<!-- ", " -->"))
_NUMBER = 6
"""Digits that a number is expected to have at most, to tell beforehand whether a line that names it pays."""


def session() -> str:
    """Return the id of the session that the environment names, "" when it names none."""
    return next((found for name in SESSION_VARIABLES if (found := os.environ.get(name, ""))), "")


class Answer:
    """The answer to one command: its output *masked* and in *full*, and what is *shown* of it."""

    __slots__ = ("difference", "family", "full", "line", "masked", "ordinary", "shown", "status")

    def __init__(self, line: CommandLine, status: int | None, masked: str, ordinary: str, family: str) -> None:
        self.line = line
        self.status = status
        self.masked = self.full = masked
        self.ordinary = self.shown = ordinary
        self.family = family
        self.difference = False


class Retention:
    """Keeps what the settings allow to keep of a command *started* then, for *session* in the working directory *folder*."""

    def __init__(self, settings: Mapping[str, Any], session: str, folder: str, started: float) -> None:
        self._settings = settings
        self._session = session
        self._folder = os.path.realpath(folder)
        self._started = started
        self._place = store.data_folder()
        self._scope = sha256(f"{session}\0{self._folder}".encode("utf-8", "surrogateescape")).hexdigest()

    def answer(
        self,
        engine: CompressionEngine,
        command: str,
        text: str,
        status: int | None,
        result: Result,
        *,
        whole: Callable[[], bytes | None] | None = None,
    ) -> str | None:
        """Return what to show in the place of the ordinary *result*, None to show that.

        *whole* returns everything that was printed where *text* is reduced, None when it is not there any more.
        """
        line = as_command(command)
        masked, found = self._mask(text)
        processor = engine.selected(line, status)
        if (result.redacted and not found) or processor.redacted_secrets(line, masked):
            return None
        made = Answer(line, status, masked, result.output if result.changed else masked, processor.name)
        self._attempt(lambda: self._compare(engine, processor, made, reduced=whole is not None))
        if self._settings["recall_enabled"]:
            kept = made.masked if whole is None else self._whole(whole)
            if kept is not None:
                made.full = kept
                now = self._attempt(lambda: self._widen(made))
                self._attempt(lambda: self._offer(made))
                if now is not None:
                    self._attempt(lambda: self._remember(now._replace(omitted=_leaves_out(made))))
        return made.shown if made.shown != made.ordinary else None

    def _mask(self, text: str) -> tuple[str, int]:
        return mask(text, frozenset(self._settings["redaction_allowlist"]))

    def _whole(self, whole: Callable[[], bytes | None]) -> str | None:
        raw = self._attempt(whole)
        return None if raw is None else self._mask(raw.decode("utf-8", "surrogateescape"))[0]

    def _compare(self, engine: CompressionEngine, processor: Processor, made: Answer, *, reduced: bool) -> None:
        """Show the difference to the last run of this command where it tells more in fewer words.

        A run that cannot be compared is forgotten together with those before it: the next one has nothing to differ from.
        """
        if not self._settings["delta_enabled"] or not self._session or type(processor).diagnostics is Base.diagnostics:
            return
        kept = service.opened(self._settings, self._place)
        scope = snapshots.scope(self._session, self._folder, made.line, processor.name)
        current = None
        if not reduced and _is_comparable(made):
            current = engine.diagnostics(made.line, made.masked, exit_code=made.status)
        if current is None:
            kept.forget(scope)
            return
        hint = "" if self._settings["recall_enabled"] else f"{launcher()} delta show"
        text = service.difference(current, made.ordinary, status=made.status, scope=scope, kept=kept, hint=hint)
        if text is not None:
            made.shown = text
            made.difference = True

    def _widen(self, made: Answer) -> Asked | None:
        """Answer wider where the command shows that too much was left out; return what is to be remembered of it."""
        if not self._session:
            return None
        now = repeats.asked(made.line, made.masked)._replace(family=made.family)
        found = repeats.last(repeats.opened(self._place), self._scope)
        if found is None:
            return now
        before, when = found
        more = repeats.asks_for_more(made.line)
        now = now._replace(again=(before.command, before.printed) == (now.command, now.printed))
        if not repeats.misses(before, now, more=more, difference=made.difference):
            return now
        if repeats.written_between(made.masked, self._folder, when, self._started):
            return now
        made.shown = repeats.widened(made.full, made.shown)
        made.difference = False
        return now._replace(wide=True)

    def _remember(self, now: Asked) -> None:
        repeats.remember(repeats.opened(self._place), self._scope, now)

    def _offer(self, made: Answer) -> None:
        """Keep the full output of an answer that leaves something out, and end the answer in what brings it back."""
        if not _leaves_out(made):
            return
        command = f"{launcher()} recall "
        if len(made.shown) + len(_last_line(made.full, made.shown, command)) + _NUMBER >= len(made.full):
            made.shown = made.full
            return
        kept = outputs.opened(self._settings, self._place)
        number = outputs.keep(kept, made.full, command=mask_command(made.line), family=made.family)
        last = _last_line(made.full, made.shown, f"{command}{number}")
        offered = made.shown + ("" if made.shown.endswith("\n") else "\n") + last
        if not broken(made.full, offered):
            made.shown = offered

    def _attempt(self, act: Callable[[], Made]) -> Made | None:
        try:
            return act()
        except Exception as error:
            trouble.note("retention", error)
            return None


def _last_line(full: str, shown: str, command: str) -> str:
    """Return the line that says how *full* comes back; a comment where *shown* says what it leaves out in comments."""
    mark = marker([(outputs.count_lines(full), "line in full", command)])
    first = next((line.strip() for line in shown.split("\n") if OPEN in line), "")
    for before, behind in _COMMENTS:
        if first.startswith(before + OPEN):
            return f"{before}{mark}{behind}\n"
    return mark + "\n"


def _leaves_out(made: Answer) -> bool:
    return made.shown != made.full and (made.difference or OPEN in made.shown or has_marker(made.shown))


def _is_comparable(made: Answer) -> bool:
    """Tell whether the run came to its own end and printed no more than is compared."""
    ended = made.status is None or 0 <= made.status < _SIGNALLED
    return ended and len(made.masked) <= service.MOST_CHARS
