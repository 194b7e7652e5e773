"""What package managers share: noise counted once for all, lists and trees by name and version, JSON that still parses."""

from __future__ import annotations

from token_saver.processor import Family
from token_saver.processors.generic import LONG_LINE
from token_saver.text import Fold, Recast, Rules, allowance, cut, sieve
from token_saver.text.documents import document
from token_saver.text.folders import select
from token_saver.text.listings import listing
from token_saver.text.templates import template

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from token_saver.processor import Capture
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.listings import Entry
    from token_saver.text.pieces import Piece

ABOUT_ITSELF = ("--version", "--help", "-V", "-h", "help", "version")
SMALL = 1200
LEAST_ROOM = 6000
DATA_ROOM = ((1200, 1200), (8000, 4800), (40_000, 8000), (400_000, 10_000))


class PackageManager(Family):
    """A tool that installs and lists packages.

    ``noise`` knows the lines that are counted; ``shorten`` tells a line in fewer words; ``readers`` has the names of methods
    for subcommands that print lists. What none of them knows stays, as far as there is room.
    """

    priority = 30
    noise = Rules({r"(?!)": "line"})
    readers: dict[str, str] = {}

    def pieces(self, capture: Capture) -> list[Piece]:
        return list(self.read(capture))

    def read(self, capture: Capture) -> Iterable[Piece]:
        if about_itself(capture.command):
            return capture.lines
        made = document(capture.lines, data_room(len(capture.text)))
        if made is not None:
            return made
        reader = self.readers.get(capture.command.subcommand)
        pieces = getattr(self, reader)(capture) if reader else self.report(capture)
        return bounded(list(pieces), len(capture.text))

    def report(self, capture: Capture) -> Iterable[Piece]:
        """Read the talk of a command that does something."""
        return self.sifted(capture.lines)

    def sifted(self, lines: Sequence[str]) -> list[Piece]:
        """Count noise, once for each noun, and tell every other line in as few words as it needs."""
        pieces: list[Piece] = []
        counts: dict[str, list[str]] = {}
        before = ""
        for line in lines:
            noun = self.noise.noun(line)
            if noun is None and "etry" in line:
                again, before = before, template(line)
                noun = "retry" if before == again else None
            if noun is None:
                text = self.shorten(line)
                pieces.append(line if len(text) >= len(line) else Recast(text, [line]))
            elif noun in counts:
                counts[noun].append(line)
            else:
                counts[noun] = [line]
                pieces.append(Fold(counts[noun], noun, known=True))
        if any(len(own) > 1 and _is_short(own, noun) for noun, own in counts.items()):
            return gathered([self._short(piece) for piece in sieve(lines, self.noise)])
        return pieces

    def shorten(self, line: str) -> str:
        """Return what *line* says, by leaving words out."""
        return line

    def _short(self, piece: Piece) -> Piece:
        if not isinstance(piece, str):
            return piece
        text = self.shorten(piece)
        return piece if len(text) >= len(piece) else Recast(text, [piece])


def _is_short(lines: Sequence[str], noun: str) -> bool:
    """Tell whether a marker would be about as long as what it stands for."""
    return sum(map(len, lines)) <= len(noun) + 16


def about_itself(command: CommandLine) -> bool:
    """Tell whether the command asked for the tool's own version or help."""
    return command.subcommand in ABOUT_ITSELF or command.has("--version", "--help", "-h", "-V")


def data_room(chars: int) -> int:
    """Return how many characters of a document of *chars* may stay."""
    return _between(chars, DATA_ROOM)


def _between(chars: int, points: Sequence[tuple[int, int]]) -> int:
    """Return what belongs to *chars* on the line through *points*; beyond the last one nothing is added."""
    low, least = 0, 0
    for high, most in points:
        if chars <= high:
            return least + (chars - low) * (most - least) // (high - low)
        low, least = high, most
    return least


def gathered(pieces: Sequence[Piece]) -> list[Piece]:
    """Move known noise of one noun that stands in several places into one count, where it stood first."""
    places: dict[str, list[Fold]] = {}
    for piece in pieces:
        if isinstance(piece, Fold) and piece.known:
            places.setdefault(piece.noun, []).append(piece)
    merged: dict[str, Fold] = {}
    for noun, folds in places.items():
        one = folds[0]
        if len(folds) > 1:
            lines = [line for fold in folds for line in fold.lines]
            names = ", ".join(fold.names for fold in folds if fold.names)
            one = Fold(lines, noun, known=True, names=names, told=all(fold.told for fold in folds))
        if len(folds) > 1 and not _is_short(one.lines, noun):
            merged[noun] = one
    if not merged:
        return list(pieces)
    result: list[Piece] = []
    for piece in pieces:
        if not isinstance(piece, Fold) or not piece.known or piece.noun not in merged:
            result.append(piece)
        elif piece is places[piece.noun][0]:
            result.append(merged[piece.noun])
    return result


def bounded(pieces: Sequence[Piece], chars: int) -> list[Piece]:
    """Fold the lines of least value when more is kept than anyone reads of *chars*; no line is longer than anyone reads."""
    pieces = [_cut(piece) for piece in pieces]
    kept = [piece for piece in pieces if isinstance(piece, str)]
    told = sum(len(piece.text) + 1 for piece in pieces if isinstance(piece, Recast))
    if told + sum(map(len, kept)) + len(kept) <= LEAST_ROOM:
        return pieces
    room = max(LEAST_ROOM, allowance(chars))
    chosen = iter(select(kept, max(room - told, room // 3), "line"))
    result: list[Piece] = []
    waiting = 0
    for piece in pieces:
        if isinstance(piece, str) and not waiting:
            part = next(chosen)
            waiting = len(part.lines) if isinstance(part, Fold) else 0
        if isinstance(piece, str) and waiting:
            waiting -= 1
            result.append(Fold([piece], "line"))
        else:
            result.append(piece)
    return result


def _cut(piece: Piece) -> Piece:
    """Cut the middle out of a line that no reader reads to its end; a list of names told on one line stays whole."""
    if isinstance(piece, Fold) or (isinstance(piece, Recast) and len(piece.lines) > 1 and piece.text not in piece.lines):
        return piece
    text, lines = (piece, [piece]) if isinstance(piece, str) else (piece.text, piece.lines)
    return Recast(cut(text, LONG_LINE // 2, LONG_LINE // 4), lines) if len(text) > LONG_LINE else piece


def named(lines: Sequence[str], entries: Sequence[Entry | None], sift: Callable[[Sequence[str]], list[Piece]]) -> list[Piece]:
    """Tell the lines that are entries as a listing, those before the first and all others around it as *sift* does."""
    first = next((at for at, entry in enumerate(entries) if entry is not None), len(lines))
    after = [line for line, entry in zip(lines[first:], entries[first:], strict=True) if entry is None]
    return [*sift(lines[:first]), *listing([entry for entry in entries if entry is not None]), *sift(after)]
