"""A history of commits in as many characters as there are: at first all that was said, at last hash and subject of each."""

from __future__ import annotations

from token_saver.processors.git import _stat
from token_saver.processors.git._budget import length
from token_saver.processors.git._commits import abbreviation, month, short_date
from token_saver.processors.git._names import most_frequent
from token_saver.processors.git._newest import MOST_SUBJECTS, is_limited
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
NAMED_FILES = 24
NAMED_AUTHORS = 12
_SUMMARY = (" file changed", " files changed")


def told_history(commits: Sequence[Commit], room: int, command: CommandLine) -> list[Piece]:
    """Return the pieces of *commits* in about *room* characters, more when *command* says how many commits."""
    if len(commits) <= FEW:
        return _whole(commits, _parts(commits), room)
    if any(line[:7] == "diff --" for commit in commits for line in commit.rest):
        return _with_patches(commits, _parts(commits), room)
    listing = _Listing(commits, names_only=command.has("--name-only"))
    for level in (listing.everything, listing.rows, listing.subjects, listing.by_author):
        pieces = _within(level(), room)
        if pieces is not None:
            return pieces
    most = max(room, MOST_SUBJECTS) if is_limited(command) else 2 * room
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


class _Counted:
    """Lines of commits that are told as numbers, by kind."""

    __slots__ = ("authors", "merges", "message", "names_only", "rows", "trailers")

    def __init__(self, names_only: bool) -> None:
        self.names_only = names_only
        self.message: list[str] = []
        self.trailers: list[str] = []
        self.rows: list[str] = []
        self.authors: list[str] = []
        self.merges: list[str] = []

    def folds(self) -> Iterator[Fold]:
        """Yield a fold for each kind; files and authors are named, the most frequent first."""
        yield Fold(self.message, "line of message", told=True)
        yield Fold(self.trailers, "trailer", told=True)
        names = [name for line in self.rows if (name := self._name(line)) is not None]
        yield Fold(self.rows, "row of changes", told=True, names=_frequent(names, NAMED_FILES, "files"))
        authors = [line.partition(": ")[2].partition(" <")[0].strip() for line in self.authors]
        yield Fold(self.authors, "line of author", told=True, names=_frequent(authors, NAMED_AUTHORS, "authors"))
        yield Fold(self.merges, "merge of branches", told=True)

    def take_body(self, commit: Commit) -> None:
        """Count the message of *commit* below its title."""
        body, trailers = commit.body(len(commit.titled()[1]))
        self.message += body
        self.trailers += trailers

    def _name(self, line: str) -> str | None:
        return _stat.changed_name(line) or (line if self.names_only and line.strip() else None)

    def take_rest(self, commit: Commit) -> Iterator[Piece]:
        """Count the rows of changes of *commit*, and yield every other line that follows its message."""
        for line in commit.rest:
            if self._name(line) is not None or any(words in line for words in _SUMMARY):
                self.rows.append(line)
            elif line.strip():
                yield line


class _Listing:
    """Commits without patches, told at several levels of detail; each level is an iterator over pieces."""

    def __init__(self, commits: Sequence[Commit], *, names_only: bool) -> None:
        self.commits = commits
        self.names_only = names_only
        self.digits = abbreviation(commits)

    def everything(self) -> Iterator[Piece]:
        """Hash, time, author, subject, body and rows; an e-mail address at its first commit, trailers as a number."""
        counted = _Counted(self.names_only)
        known: set[str] = {""}
        for commit in self.commits:
            email = "" if commit.email in known else f" <{commit.email}>"
            known.add(commit.email)
            body, trailers = commit.body()
            counted.trailers += trailers
            yield self._line(commit, f"{short_date(commit.date, minutes=True)} {commit.author}{email}: ", titled=False)
            yield from body
            yield from _told_rows(commit)
        yield from counted.folds()

    def rows(self) -> Iterator[Piece]:
        """Hash, day, author, subject and rows; bodies are counted."""
        counted = _Counted(self.names_only)
        for commit in self.commits:
            yield self._line(commit, f"{short_date(commit.date)} {commit.author}: ")
            yield from _told_rows(commit)
            counted.take_body(commit)
        yield from counted.folds()

    def subjects(self) -> Iterator[Piece]:
        """Hash, day, author and subject."""
        counted = _Counted(self.names_only)
        for commit in self.commits:
            yield self._line(commit, f"{short_date(commit.date)} {commit.author}: ")
            yield from counted.take_rest(commit)
            counted.take_body(commit)
        yield from counted.folds()

    def by_author(self) -> Iterator[Piece]:
        """Hash and subject, under the day and the author that a commit shares with the one before."""
        counted = _Counted(self.names_only)
        before = ""
        for commit in self.commits:
            group = f"{short_date(commit.date)} {commit.author}"
            yield self._line(commit, "", above="" if group == before else group)
            yield from counted.take_rest(commit)
            counted.take_body(commit)
            before = group
        yield from counted.folds()

    def by_month(self) -> Iterator[Piece]:
        """Hash and subject under their month; authors, and merges that say no more than which branches, are counted."""
        counted = _Counted(self.names_only)
        yield from self._by_month(self.commits, counted)
        yield from counted.folds()

    def newest(self, room: int) -> list[Piece]:
        """As many commits as there is room for, and how many older ones there are."""
        counted = _Counted(self.names_only)
        count = next((at for at, left in enumerate(self._left(room)) if left < 0), len(self.commits))
        shown = [*self._by_month(self.commits[:count], counted), *counted.folds()]
        older = self.commits[count:]
        if older:
            last = f"down to {older[-1].hash[: self.digits]} {short_date(older[-1].date)} {older[-1].subject}"
            shown.append(Fold([commit.head[0] for commit in older], "older commit", told=True, names=last))
            rest = [line for commit in older for line in (*commit.head[1:], *commit.message, *commit.rest)]
            shown.append(Fold(rest, "line of them", told=True))
        return shown

    def _left(self, room: int) -> Iterator[int]:
        for commit in self.commits:
            room -= self.digits + len(commit.decoration) + len(commit.subject) + 2
            yield room

    def _by_month(self, commits: Sequence[Commit], counted: _Counted) -> Iterator[Piece]:
        before = ""
        for commit in commits:
            counted.authors += [line for line in commit.head if line.startswith("Author: ")]
            if commit.is_bare_merge:
                counted.merges.append(commit.head[0])
                counted.message += [line for line in commit.head[1:] if not line.startswith("Author: ")]
                counted.message += [*commit.message, *commit.rest]
                continue
            group = month(commit.date)
            yield self._line(commit, "", above="" if group == before else group, authors=False)
            yield from counted.take_rest(commit)
            counted.take_body(commit)
            before = group

    def _line(self, commit: Commit, who: str, *, above: str = "", authors: bool = True, titled: bool = True) -> Recast:
        """Return hash, *who* and title; they stand for the heading, the title's lines and all blank lines of the commit."""
        title, lines = commit.titled() if titled else (commit.subject, commit.message[commit.subject_at :][:1])
        head = commit.head if authors else [line for line in commit.head if not line.startswith("Author: ")]
        blank = [line for line in (*commit.message, *commit.rest) if not line.strip()]
        heading = f"{above}\n" if above else ""
        return Recast(f"{heading}{commit.hash[: self.digits]}{commit.decoration} {who}{title}", [*head, *lines, *blank])


def _told_rows(commit: Commit) -> Iterator[Piece]:
    rest = [line for line in commit.rest if line.strip()]
    yield from told_prose(rest) if rest else ()


def _frequent(names: Sequence[str], most: int, noun: str) -> str:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return most_frequent(counts, most, noun)
