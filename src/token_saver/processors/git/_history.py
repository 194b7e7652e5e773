"""A history of commits in as many characters as there are: at first all that was said, at last hash and subject of each."""

from __future__ import annotations

from token_saver.processors.git._budget import length
from token_saver.processors.git._commits import short_date
from token_saver.processors.git._levels import Listing
from token_saver.processors.git._newest import is_limited, most_characters
from token_saver.processors.git._prose import told_prose
from token_saver.text.diffs import FileDiff, split, squeeze_files
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processors.git._commits import Commit
    from token_saver.shell.command_line import CommandLine
    from token_saver.text.pieces import Piece

FEW = 3


def told_history(commits: Sequence[Commit], room: int, command: CommandLine) -> list[Piece]:
    """Return the pieces of *commits* in about *room* characters, more when *command* says how many commits."""
    if len(commits) <= FEW:
        return _whole(commits, _parts(commits), room)
    if any(line[:7] == "diff --" for commit in commits for line in commit.rest):
        return _with_patches(commits, _parts(commits), room)
    listing = Listing(commits, names_only=command.has("--name-only"))
    levels = (listing.everything, listing.rows, lambda: listing.subjects(room), lambda: listing.by_author(room))
    for level in levels:
        pieces = _within(level(), room)
        if pieces is not None:
            return pieces
    most = most_characters(room, limited=is_limited(command))
    return _within(listing.by_month(), most) or listing.newest(most)


def _parts(commits: Sequence[Commit]) -> list[list[list[str] | FileDiff]]:
    return [list(split(commit.rest)) for commit in commits]


def _within(pieces: Iterable[Piece], room: int) -> list[Piece] | None:
    """Return *pieces* as a list; None as soon as they take more than *room* characters."""
    kept: list[Piece] = []
    for piece in pieces:
        kept.append(piece)
        if not isinstance(piece, Fold):
            room -= len(piece if isinstance(piece, str) else piece.text) + 1
            if room < 0:
                return None
    return kept


def _whole(commits: Sequence[Commit], parts: Sequence[Sequence[list[str] | FileDiff]], room: int) -> list[Piece]:
    """Headings and messages as they are, changes in what room they leave."""
    heads = sum(length(commit.head) + length(commit.message) for commit in commits)
    told = _told_rests(parts, max(room - heads, room // 2))
    pieces: list[Piece] = []
    for commit, rest in zip(commits, told, strict=True):
        pieces += [*commit.head, *commit.message, *rest]
    return pieces


def _with_patches(commits: Sequence[Commit], parts: Sequence[Sequence[list[str] | FileDiff]], room: int) -> list[Piece]:
    """Each commit's hash, date, author and subject; bodies while they are short; then changes."""
    bodies = [commit.body()[0] for commit in commits]
    trailers = [line for commit in commits for line in commit.body()[1]]
    heads = [_full_head(commit) for commit in commits]
    room -= sum(len(head.text) for head in heads) + sum(len(commit.subject) + 6 for commit in commits)
    keep_bodies = sum(map(length, bodies)) <= room // 5
    room -= sum(map(length, bodies)) if keep_bodies else 0
    told = _told_rests(parts, room)
    pieces: list[Piece] = []
    for commit, head, body, rest in zip(commits, heads, bodies, told, strict=True):
        pieces += [head, *commit.message[commit.subject_at : commit.subject_at + 1]]
        pieces += [*(body if keep_bodies else ()), *(piece for piece in rest if piece != "")]
        head.lines = [*head.lines, *("" for piece in rest if piece == "")]
    if not keep_bodies:
        pieces.append(Fold([line for body in bodies for line in body], "line of message", told=True))
    pieces.append(Fold(trailers, "trailer", told=True))
    return pieces


def _full_head(commit: Commit) -> Recast:
    """Return the heading with the whole hash, on one line; it also stands for the blank lines of the message."""
    text = f"commit {commit.hash}{commit.decoration} {short_date(commit.date)} {commit.author}"
    return Recast(text, [*commit.head, *(line for line in commit.message if not line.strip())])


def _told_rests(parts: Sequence[Sequence[list[str] | FileDiff]], room: int) -> Iterator[list[Piece]]:
    """Yield for each commit the pieces of what follows its message; together they take about *room* characters."""
    files = [part for rest in parts for part in rest if isinstance(part, FileDiff)]
    prose = sum(length(part) for rest in parts for part in rest if isinstance(part, list))
    told = squeeze_files(files, max(room - prose, room // 2))
    for rest in parts:
        pieces: list[Piece] = []
        for part in rest:
            pieces += told_prose(part) if isinstance(part, list) else next(told)
        yield pieces
