"""Commits without patches, at several levels of detail: at first all that was said, at last hash and subject of each."""

from __future__ import annotations

from token_saver.processors.git import _stat
from token_saver.processors.git._commits import abbreviation, month, short_date
from token_saver.processors.git._names import most_frequent
from token_saver.processors.git._prose import told_prose
from token_saver.text.pieces import Fold, Recast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processors.git._commits import Commit
    from token_saver.text.pieces import Piece

NAMED_FILES = 24
NAMED_AUTHORS = 12
_SUMMARY = (" file changed", " files changed")


def size(pieces: Iterable[Piece]) -> int:
    """Return how many characters *pieces* show, counts aside."""
    return sum(len(piece if isinstance(piece, str) else piece.text) + 1 for piece in pieces if not isinstance(piece, Fold))


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


class Listing:
    """Commits without patches, told at several levels of detail; each level is an iterator over pieces."""

    def __init__(self, commits: Sequence[Commit], *, names_only: bool) -> None:
        self.commits = commits
        self.names_only = names_only
        self.digits = abbreviation(commits)

    def everything(self) -> Iterator[Piece]:
        """Hash, parents of a merge, time, author, subject, body and rows.

        An e-mail address stands at its first commit, a committer where it is not the author; trailers are counted.
        """
        counted = _Counted(self.names_only)
        known: set[str] = {""}
        for commit in self.commits:
            email = "" if commit.email in known else f" <{commit.email}>"
            known.add(commit.email)
            body, trailers = commit.body()
            counted.trailers += trailers
            who = f"{commit.parents}{short_date(commit.date, minutes=True)} {commit.author}{email}{commit.committer}: "
            yield self._line(commit, who, titled=False)
            yield from body
            yield from _told_rows(commit)
        yield from counted.folds()

    def rows(self) -> Iterator[Piece]:
        """Hash, day, author, subject and rows; bodies are counted."""
        return self._with_rows(self._dated(at) for at in range(len(self.commits)))

    def subjects(self, room: int) -> Iterator[Piece]:
        """Hash, day, author and subject, and the rows of the newest commits as far as *room* reaches."""
        return self._with_rows((self._dated(at) for at in range(len(self.commits))), room)

    def by_author(self, room: int) -> Iterator[Piece]:
        """Hash and subject, under the day and the author that a commit shares with the one before, and rows as before."""
        return self._with_rows((self._grouped(at) for at in range(len(self.commits))), room)

    def _dated(self, at: int) -> Recast:
        commit = self.commits[at]
        return self._line(commit, f"{short_date(commit.date)} {commit.author}: ")

    def _grouped(self, at: int) -> Recast:
        groups = [f"{short_date(commit.date)} {commit.author}" for commit in self.commits[max(0, at - 1) : at + 1]]
        return self._line(self.commits[at], "", above="" if at and groups[0] == groups[1] else groups[-1])

    def _with_rows(self, lines: Iterable[Recast], room: int | None = None) -> Iterator[Piece]:
        """Yield the line of each commit and its rows; with *room* only the rows that fit into what the lines leave of it."""
        counted = _Counted(self.names_only)
        left = 0
        if room is not None:
            lines = _until_full(lines, room)
            left = room - size(lines)
        for commit, recast in zip(self.commits, lines, strict=False):
            yield recast
            counted.take_body(commit)
            rows = _told_rows(commit) if room is None or left > 0 else []
            left -= size(rows)
            yield from rows if room is None or left > 0 else counted.take_rest(commit)
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
        told = f"{heading}{commit.hash[: self.digits]}{commit.decoration} {who}{title}".rstrip()
        return Recast(told, [*head, *lines, *blank])


def _until_full(lines: Iterable[Recast], room: int) -> list[Recast]:
    """Return *lines* up to the one that exceeds *room*: whoever asked for a level that fits needs no more to see it fail."""
    kept: list[Recast] = []
    for line in lines:
        kept.append(line)
        room -= len(line.text) + 1
        if room < 0:
            break
    return kept


def _told_rows(commit: Commit) -> list[Piece]:
    rest = [line for line in commit.rest if line.strip()]
    return told_prose(rest) if rest else []


def _frequent(names: Sequence[str], most: int, noun: str) -> str:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return most_frequent(counts, most, noun)
