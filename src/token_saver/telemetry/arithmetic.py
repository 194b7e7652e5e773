"""The arithmetic of savings: pure functions, each formula in its docstring, sizes in characters.

For one command, with *original* characters printed, *shown* characters shown, and a host that cuts at *limit*:

    gross    = original - shown                                  0 when that is a single character
    host cut = gross - (min(original, limit) - min(shown, limit))    what the host would have left out anyway
    repeats  = what a second look at the same output cost
    escapes  = what was printed because the shortened output did not do
    recalls  = what was brought back of an output that is kept
    net      = gross - host cut - repeats - escapes - recalls

A net saving may be negative, and is shown as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from token_saver.telemetry.prices import Price

NOISE = 1
"""Characters that are no saving: a line end at the end of the output, for instance."""
SOON = 120.0
"""Seconds within which a second run is a second look at the first."""
ALIKE = 0.02
"""The part by which two outputs of one command may differ in size and still count as the same: durations, numbers."""


class Saved(NamedTuple):
    """What one command saved, in characters, and what was given back by it."""

    gross: int
    host_cut: int
    repeats: int = 0
    escapes: int = 0

    @property
    def net(self) -> int:
        """What is left after everything that has to be taken off."""
        return self.gross - self.host_cut - self.repeats - self.escapes


class Look(NamedTuple):
    """One run of a command: when, how it ended, its sizes, and whether it asked for ``more``."""

    at: float
    status: int | None
    original: int
    shown: int
    more: bool = False


def gross(original: int, shown: int) -> int:
    """Return ``original - shown``; a difference of one character is none. Masking may make it negative."""
    difference = original - shown
    return 0 if abs(difference) <= NOISE else difference


def host_cut(original: int, shown: int, limit: int) -> int:
    """Return what of the gross saving a host that shows *limit* characters (0: all) would have left out by itself.

    ``gross - (min(original, limit) - min(shown, limit))``; never more than the gross saving, never less than 0.
    """
    saved = gross(original, shown)
    if not limit or saved <= 0:
        return 0
    return saved - max(0, min(original, limit) - min(shown, limit))


def given_back(before: Look, now: Look) -> tuple[int, int]:
    """Return (repeats, escapes): what *now*, the next run of the same command, gives back of what *before* saved.

    Within ``SOON`` seconds, where *before* saved something: a run that asks for more than *before* did is an escape; one that
    ends alike and prints as much, to ``ALIKE``, is a repeat. It gives back ``min(shown now, saved before)``.
    """
    saved = gross(before.original, before.shown)
    if saved <= 0 or not 0 <= now.at - before.at <= SOON:
        return 0, 0
    back = min(now.shown, saved)
    if now.more and not before.more:
        return 0, back
    alike = abs(now.original - before.original) <= ALIKE * before.original
    return (back, 0) if now.more == before.more and now.status == before.status and alike else (0, 0)


def saved(original: int, shown: int, limit: int, before: Look | None, now: Look) -> Saved:
    """Return what one run saved; *before* is the last run of the same command in the same session and folder."""
    repeats, escapes = (0, 0) if before is None else given_back(before, now)
    return Saved(gross(original, shown), host_cut(original, shown, limit), repeats, escapes)


def tokens(characters: int, chars_per_token: float) -> int:
    """Return ``ceil(characters / chars_per_token)`` with the sign of *characters*: an estimate, not a model's tokenizer."""
    whole = -(-abs(characters) // chars_per_token)
    return int(whole if characters >= 0 else -whole)


def cost(count: int, price: Price, *, turns: int = 0) -> float:
    """Return what *count* tokens cost in USD: ``count * (write + turns * read) / 1 000 000``.

    Output of a command is written into the cache of the conversation once and read from it on each of the *turns* that
    follow. With 0 turns it is the least that the tokens would have cost.
    """
    return count * (price.cache_write + turns * price.cache_read) / 1_000_000


def percent(part: int, whole: int) -> float:
    """Return how many per cent of *whole* are *part*, to one decimal; 0 of nothing."""
    return round(100.0 * part / whole, 1) if whole else 0.0
