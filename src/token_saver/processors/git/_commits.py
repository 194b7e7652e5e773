"""Commits of ``git log`` and ``git show`` in the formats medium, full and fuller: reading them, and telling them in short."""

from __future__ import annotations

from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_START = rx(r"commit (?:[-+<>=] )?([0-9a-f]{7,64})((?: \([^()]*\))?)$")
_HEADING = rx(r"(?:Author|AuthorDate|Commit|CommitDate|Date|Merge|Reflog|Reflog message|gpg):")
_AUTHOR = rx(r"Author: +(.*?)(?: <([^<>]*)>)?$")
_COMMITTER = rx(r"Commit: +(.*?)(?: <[^<>]*>)?$")
_DATE = rx(r"(?:AuthorDate|Date): +(.*)$")
_MERGE = rx(r"Merge: ([0-9a-f]{7,})")
_TRAILER = rx(r"    (?:[A-Z][A-Za-z]+(?:-[A-Za-z]+)*-by|Change-Id|Cc|Reviewed-on): \S")
_DEFAULT_DATE = rx(r"(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) (\d{1,2}) (\d\d:\d\d):\d\d (\d{4})\b")
_ISO_DATE = rx(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
_PULL = rx(r"Merge (?:pull|merge) request (\S+) from \S+$")
HASH = 8


class Commit:
    """One commit: its heading lines, the lines of its message with the blank ones around, and what follows."""

    __slots__ = ("decoration", "hash", "head", "message", "rest")

    def __init__(self, head: list[str], message: list[str], rest: list[str]) -> None:
        self.head = head
        self.message = message
        self.rest = rest
        words = head[0].removeprefix("commit ")
        self.hash, blank, decoration = words[2:].partition(" ") if words[1:2] == " " else words.partition(" ")
        self.decoration = blank + decoration

    @property
    def has_author(self) -> bool:
        """Whether the heading names an author, as it does in the formats that are read here."""
        return any(line[:8] == "Author: " for line in self.head)

    @property
    def author(self) -> str:
        """The author's name."""
        return self._author()[0]

    @property
    def email(self) -> str:
        """The author's address, "" when there is none."""
        return self._author()[1]

    @property
    def date(self) -> str:
        """The date of authoring, as it is written; "" when there is none."""
        found = next((date for line in self.head if (date := _DATE.match(line)) is not None), None)
        return "" if found is None else found.group(1)

    @property
    def parents(self) -> str:
        """The parents of a merge, as they are written, in brackets and with a blank behind; "" for another commit."""
        found = next((line for line in self.head if line.startswith("Merge: ")), None)
        return "" if found is None else f"({found}) "

    @property
    def committer(self) -> str:
        """The committer behind a bar, "" when it is the author or is not named."""
        found = next((committer for line in self.head if (committer := _COMMITTER.match(line)) is not None), None)
        return "" if found is None or found.group(1) == self.author else f" | Commit: {found.group(1)}"

    def _author(self) -> tuple[str, str]:
        found = next((author for line in self.head if (author := _AUTHOR.match(line)) is not None), None)
        return ("", "") if found is None else (found.group(1), found.group(2) or "")

    @property
    def subject_at(self) -> int:
        """The index in ``message`` of the first line that is not blank, its length when there is none."""
        return next((at for at, line in enumerate(self.message) if line.strip()), len(self.message))

    @property
    def subject(self) -> str:
        """The first line of the message."""
        at = self.subject_at
        return self.message[at].strip() if at < len(self.message) else ""

    def titled(self) -> tuple[str, list[str]]:
        """Return the title and its lines: the subject; of a merge of branches also the first line of the body."""
        at = self.subject_at
        lines = self.message[at : at + 1]
        subject = self.subject
        if subject.startswith("Merge "):
            lines += [line for line in self.message[at + 1 :] if line.strip()][:1]
        if len(lines) < 2:
            return subject, lines
        pull = _PULL.match(subject)
        what = f"Merge {pull.group(1)}" if pull is not None else subject
        return f"{what}: {lines[1].strip()}", lines

    @property
    def is_bare_merge(self) -> bool:
        """Whether this is a merge whose message says nothing but which branches."""
        title, lines = self.titled()
        return len(lines) == 1 and title.startswith("Merge ") and not self.rest

    def body(self, above: int = 1) -> tuple[list[str], list[str]]:
        """Return the lines of the message below the first *above*, without blank ones, and its trailers."""
        lines = [line for line in self.message if line.strip()][above:]
        return [line for line in lines if not _TRAILER.match(line)], [line for line in lines if _TRAILER.match(line)]


def split_commits(lines: Sequence[str]) -> tuple[list[str], list[Commit]]:
    """Cut *lines* into what stands before the first commit, and commits."""
    starts = [at for at, line in enumerate(lines) if line[:7] == "commit " and _START.match(line)]
    if not starts:
        return list(lines), []
    ends = [*starts[1:], len(lines)]
    return list(lines[: starts[0]]), [_read(lines[start:end]) for start, end in zip(starts, ends, strict=True)]


def _read(lines: Sequence[str]) -> Commit:
    total = len(lines)
    head = 1
    while head < total and _HEADING.match(lines[head]):
        head += 1
    end = head
    while end < total and (lines[end][:4] == "    " or not lines[end]):
        end += 1
    return Commit(list(lines[:head]), list(lines[head:end]), list(lines[end:]))


def short_date(date: str, *, minutes: bool = False) -> str:
    """Return the day in the words of *date*, with hour and minute when asked; a date of another form as it is."""
    found = _ISO_DATE.match(date)
    if found is not None:
        day, time = found.groups()
        return f"{day} {time}" if minutes else str(day)
    found = _DEFAULT_DATE.match(date)
    if found is None:
        return date
    month, number, time, year = found.groups()
    return f"{month} {number} {year} {time}" if minutes else f"{month} {number} {year}"


def month(date: str) -> str:
    """Return the month in the words of *date*; a date of another form as it is."""
    found = _ISO_DATE.match(date)
    if found is not None:
        return found.group(1)[:7]
    found = _DEFAULT_DATE.match(date)
    return date if found is None else f"{found.group(1)} {found.group(4)}"


def abbreviation(commits: Sequence[Commit]) -> int:
    """Return how many letters of a hash git itself takes to be enough in this repository."""
    for commit in commits:
        for line in commit.head[1:3]:
            found = _MERGE.match(line)
            if found is not None:
                return len(found.group(1))
    return HASH
