"""The outline of a large change: what its reader asks for first.

Every file keeps its heading, shortened to its name when there are too many. Of the changed lines those stay that say most
(``code_worth``): signatures, what is raised, returned and asserted, then control flow and assignments, then the rest. Lines
that were seen before, that only moved or were only rewritten, and the lines of tests, prose and generated files come last;
and each file shows some of its lines before another shows all of them.
"""

from __future__ import annotations

from token_saver.text.code_worth import PART, SIGNATURE, SIGNATURES, TELLING, kind, worth
from token_saver.text.diffs import LONG_LINE, head_pieces, shortened
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.diffs import FileDiff, Hunk
    from token_saver.text.pieces import Piece

    Spot = tuple[int, int, int]

CONFLICT = 9

_LOWERED = {"generated": 5, "prose": 2, "test": 2, "": 0}
_PLACE = rx(r"@@ (-\d+)(?:,\d+)? (\+\d+)(?:,\d+)? @@( .*)?")

_SHOWN = "shown"
_BESIDE = (" ", "\\")
_FILE_COST = 30
_HUNK_COST = 18
_LONG = 160
_SECTION = 48
_FEW, _FEW_RANK = 4, 5
_THOROUGH = 60_000
_STEPS = 8
_CROWD = 3
_MOST = 60
_BUCKET = [
    [max(0, rank * _STEPS - min((count - 1) // _CROWD, 3 * _STEPS)) for count in range(_MOST + 1)] for rank in range(CONFLICT + 1)
]


def outlined(files: Sequence[FileDiff], budget: int) -> Iterator[list[Piece]]:
    """Yield the pieces of each file; together they take about *budget* characters.

    Changed lines that are left out are counted for each file, context once at the end.
    """
    heads = sum(sum(map(len, file.told_head())) + _FILE_COST for file in files)
    chosen = _choose(files, max(budget - heads, budget // 8))
    outline = _Outline(brief=heads > budget)
    for index, file in enumerate(files):
        kept = [sorted(chosen.get((index, place), ())) for place in range(len(file.hunks))]
        pieces = outline.tell(file, kept)
        yield [*pieces, *outline.rest()] if index == len(files) - 1 else pieces


def _choose(files: Sequence[FileDiff], budget: int) -> dict[tuple[int, int], list[int]]:
    """Return by (file, hunk) the lines that stay."""
    chosen: dict[tuple[int, int], list[int]] = {}
    sections: set[tuple[int, str]] = set()
    for spots in reversed(_Scores(files).buckets):
        for file, place, at in _from_both_ends(spots):
            hunk = files[file].hunks[place]
            kept = chosen.setdefault((file, place), [])
            budget -= min(len(hunk.lines[at]), LONG_LINE) + 1
            if not kept:
                section = (file, _section(hunk.header))
                budget -= _HUNK_COST + (0 if section in sections else len(section[1]))
                sections.add(section)
            if budget < 0:
                return chosen
            kept.append(at)
    return chosen


def _from_both_ends(spots: Sequence[Spot]) -> Iterator[Spot]:
    """Yield the first, the last, the second, the last but one …: what stands in the middle is missed least."""
    for step in range(len(spots)):
        yield spots[-1 - step // 2] if step % 2 else spots[step // 2]


class _Scores:
    """The lines of *files* by worth, in ``buckets`` of (file, hunk, line), the last bucket being the best."""

    def __init__(self, files: Sequence[FileDiff]) -> None:
        self.buckets: list[list[Spot]] = [[] for _ in range((CONFLICT + 1) * _STEPS)]
        self._seen: set[str] = set()
        bodies = [[[line[1:].strip() for line in hunk.lines] for hunk in file.hunks] for file in files]
        self._moved = _moved(files, bodies)
        self._quota = max(_MOST, _THOROUGH // len(files))
        for index, file in enumerate(files):
            self._rate_file(index, file, bodies[index])

    def _rate_file(self, index: int, file: FileDiff, bodies: list[list[str]]) -> None:
        """Every further line of a rank counts a little less, so that no file crowds out another."""
        of_kind = kind(file.name)
        least = 0 if of_kind == "generated" or _has_many(file) else _FEW_RANK
        counts = [0] * (CONFLICT + 1)
        for place, hunk in enumerate(file.hunks):
            if hunk.width > 1:
                self.buckets[-1].extend((index, place, at) for at in range(len(hunk.lines)))
                continue
            if (place and of_kind == "generated") or sum(counts) > self._quota:
                return
            for at, rank in self._ranks(hunk, bodies[place], of_kind, least):
                count = counts[rank] = counts[rank] + 1
                if count <= _MOST:
                    self.buckets[_BUCKET[rank][count]].append((index, place, at))

    def _ranks(self, hunk: Hunk, bodies: list[str], of_kind: str, least: int) -> list[tuple[int, int]]:
        """Return (index, rank) for the lines of *hunk* that say something new; a short changed line has rank *least*."""
        seen, moved, lowered = self._seen, self._moved, _LOWERED[of_kind]
        exempt = 0 if of_kind == "prose" else SIGNATURE
        stems: set[str] | None = None
        after_signature = False
        ranks: list[tuple[int, int]] = []
        for at, (mark, body) in enumerate(zip(hunk.marks, bodies, strict=True)):
            if not body or (mark == " " and not body.startswith(SIGNATURES)):
                continue
            key = mark + body
            if key in seen:
                continue
            seen.add(key)
            if mark == " ":
                ranks.append((at, PART))
                continue
            rank = base = worth(body)
            if base == SIGNATURE:
                after_signature = True
            elif after_signature and body[:4].strip("\"'/*# "):
                rank, after_signature = (rank if rank > 5 else 5), False
            if base != exempt:
                rank -= lowered
            if mark == "-":
                if stems is None:
                    stems = {_stem(other) for sign, other in zip(hunk.marks, bodies, strict=True) if sign == "+"}
                rank -= self._sinks(body, base, stems)
            elif body in moved:
                rank -= 2
            if len(body) > _LONG:
                ranks.append((at, rank - 2 if rank > 2 else 0))
            else:
                ranks.append((at, rank if rank > least else least))
        return ranks

    def _sinks(self, body: str, base: int, stems: set[str]) -> int:
        """A removed line says less, and least where it stands elsewhere, or rewritten, among the added ones."""
        if body in self._moved:
            return base
        return 5 if base not in TELLING and _stem(body) in stems else 1


def _has_many(file: FileDiff) -> bool:
    """Tell whether more lines of *file* changed than can be shown without a thought."""
    return len(file.hunks) > _FEW or sum(sum(hunk.changes()) for hunk in file.hunks) > _FEW


def _moved(files: Sequence[FileDiff], bodies: list[list[list[str]]]) -> set[str]:
    """Return the lines that were removed in one place and added in another."""
    added: set[str] = set()
    removed: set[str] = set()
    for file, parts in zip(files, bodies, strict=True):
        for hunk, texts in zip(file.hunks, parts, strict=True):
            added.update([body for mark, body in zip(hunk.marks, texts, strict=True) if mark == "+"])
            removed.update([body for mark, body in zip(hunk.marks, texts, strict=True) if mark == "-"])
    return added & removed


def _stem(body: str) -> str:
    """Return the part of a line that stays when it is rewritten: up to a bracket, a colon or a sign of equality."""
    return body.partition("(")[0].partition("=")[0].partition(":")[0]


class _Outline:
    """Tells files, and keeps what is counted for all of them together; *brief* files without a line are only named."""

    def __init__(self, *, brief: bool) -> None:
        self._brief = brief
        self._context: list[str] = []
        self._added: list[str] = []
        self._removed: list[str] = []

    def tell(self, file: FileDiff, kept: list[list[int]]) -> list[Piece]:
        """Return the heading, the chosen lines under their hunks, and a count of the other changes."""
        named = self._brief and not any(kept)
        pieces: list[Piece] = [Recast(file.name, [*file.head, *file.binary])] if named else list(head_pieces(file))
        added, removed = (self._added, self._removed) if named else ([], [])
        before = ""
        for hunk, chosen in zip(file.hunks, kept, strict=True):
            if chosen:
                section = _section(hunk.header)
                pieces.append(_told_header(hunk.header, "" if section == before else section))
                before = section
                pieces.extend(shortened(hunk.lines[at]) for at in chosen)
            else:
                self._context.append(hunk.header)
            self._count(hunk, chosen, added, removed)
        if not named:
            pieces.append(Fold(added, "added line", told=True))
            pieces.append(Fold(removed, "removed line", told=True))
        return pieces

    def rest(self) -> list[Piece]:
        """Return what was counted for all files together."""
        kinds = ((self._added, "added line"), (self._removed, "removed line"), (self._context, "line of context"))
        return [Fold(lines, noun, told=True) for lines, noun in kinds]

    def _count(self, hunk: Hunk, chosen: list[int], added: list[str], removed: list[str]) -> None:
        marks: Sequence[str] = hunk.marks
        if chosen:
            marks = list(marks)
            for at in chosen:
                marks[at] = _SHOWN
        pairs = list(zip(marks, hunk.lines, strict=True))
        added += [line for mark, line in pairs if mark == "+"]
        removed += [line for mark, line in pairs if mark == "-"]
        self._context += [line for mark, line in pairs if mark in _BESIDE]


def _section(header: str) -> str:
    """Return the name in a hunk's heading of what the hunk is in, without parameters."""
    found = _PLACE.match(header)
    section = "" if found is None else (found.group(3) or "").partition("(")[0].rstrip()
    return section if len(section) <= _SECTION else section[:_SECTION].rpartition(" ")[0]


def _told_header(header: str, section: str) -> Piece:
    """Return a hunk's heading with ``…`` for the lengths, which no longer hold."""
    found = _PLACE.match(header)
    return header if found is None else Recast(f"@@ {found.group(1)}… {found.group(2)}… @@{section}", [header])
