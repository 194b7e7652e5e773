"""The outline of a large change: what its reader asks for first.

Every file keeps its heading. Of the changed lines those stay that say most: signatures, what is raised, returned and
asserted, then control flow and assignments, then the rest. Lines that were seen before, that only moved or were only
rewritten, and the lines of tests, prose and generated files come last; and each file shows some of its lines before
another shows all of them.
"""

from __future__ import annotations

from token_saver.text.diffs import LONG_LINE, head_pieces, shortened
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.diffs import FileDiff, Hunk
    from token_saver.text.pieces import Piece

    Spot = tuple[int, int, int]

_FIRST_WORDS = {
    8: "def class func fn function interface struct enum trait impl type async export public private protected static pub "
    "module namespace abstract override final void template typedef union extern const fun object protocol extension "
    "defmodule defp defmacro sub proc create alter drop message service rpc resource provider variable output",
    7: "raise throw throws panic panic! bail! unreachable! abort die exit fatal",
    6: "return yield assert assert! assert_eq! assert_ne! expect except catch rescue ensure finally "
    "#define #include #if #ifdef FROM RUN CMD ENTRYPOINT",
    5: "if elif else for while with try case match switch import from use using require include package go defer select "
    "let var val unless when loop where",
}
WORTH = {word: rank for rank, words in _FIRST_WORDS.items() for word in words.split()}
CONFLICT, SIGNATURE, STATEMENT, PART, NOTE = 9, 8, 4, 3, 2
TELLING = (6, 7)
"""Ranks of lines whose words matter: two of them that begin alike are not the same line rewritten."""

_KINDS = {
    "generated": "lock svg map snap ipynb lockb csv tsv geojson golden sum min.js min.css pb.go package-lock.json "
    "npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json",
    "prose": "md rst txt adoc mdx html htm po pot tex",
}
_KIND_BY_SUFFIX = {suffix: kind for kind, suffixes in _KINDS.items() for suffix in suffixes.split()}
_LOWERED = {"generated": 5, "prose": 2, "test": 2, "": 0}
_NEWS = rx(r"(?:.*/)?(?:CHANGELOG|CHANGES|HISTORY|NEWS)\b")
_TEST = rx(r"(?i)(?:.*/)?(?:tests?|specs?|__tests__|testdata|fixtures|cassettes)/|.*(?:_test|test_|\.test|\.spec)\b")
_PLACE = rx(r"@@ (-\d+)(?:,\d+)? (\+\d+)(?:,\d+)? @@( .*)?")
_SIGNATURES = tuple(f"{word} " for word, rank in WORTH.items() if rank == SIGNATURE)

_FILE_COST = 30
_HUNK_COST = 24
_LONG = 160
_FEW, _FEW_RANK = 4, 5
_STEPS = 8
_CROWD = 3
_MOST = 60
_BUCKET = [
    [max(0, rank * _STEPS - min((count - 1) // _CROWD, 3 * _STEPS)) for count in range(_MOST + 1)] for rank in range(CONFLICT + 1)
]


def kind(name: str) -> str:
    """Return what kind of file *name* is: "generated", "prose", "test", or "" for anything else."""
    base = name.rpartition("/")[2]
    suffix = base.partition(".")[2]
    for ending in (base, suffix, suffix.rpartition(".")[2]):
        if ending in _KIND_BY_SUFFIX and not _NEWS.match(name):
            return _KIND_BY_SUFFIX[ending]
    return "test" if _TEST.match(name) else ""


def worth(body: str) -> int:
    """Return the rank of a changed line without mark and indentation: from 8, a signature, to 0, nothing."""
    word = body.partition(" ")[0]
    rank = WORTH.get(word)
    if rank is not None:
        return rank
    if body[0] in "#/*;\"'`<":
        return NOTE
    if word[-1] in ":;,{(" or "(" in word:
        rank = WORTH.get(word.partition("(")[0].rstrip(":;{,"))
        if rank is not None:
            return rank
    if len(body) < 4:
        return 0
    last = body[-1]
    if last in ",([{:":
        return SIGNATURE if last == "{" and "(" in body else PART
    return STATEMENT if "(" in body or " = " in body or ": " in body else PART


def outlined(files: Sequence[FileDiff], budget: int) -> Iterator[list[Piece]]:
    """Yield the pieces of each file; together they take about *budget* characters.

    Changed lines that are left out are counted for each file, context once at the end.
    """
    heads = sum(sum(map(len, file.told_head())) + _FILE_COST for file in files)
    chosen = _choose(files, max(budget - heads, budget // 8))
    rest: list[str] = []
    for index, file in enumerate(files):
        kept = [sorted(chosen.get((index, place), ())) for place in range(len(file.hunks))]
        pieces = _told(file, kept, rest)
        if index == len(files) - 1:
            pieces.append(Fold(rest, "line of context", told=True))
        yield pieces


def _choose(files: Sequence[FileDiff], budget: int) -> dict[tuple[int, int], list[int]]:
    """Return by (file, hunk) the lines that stay."""
    chosen: dict[tuple[int, int], list[int]] = {}
    for spots in reversed(_Scores(files).buckets):
        for file, place, at in _from_both_ends(spots):
            kept = chosen.setdefault((file, place), [])
            budget -= min(len(files[file].hunks[place].lines[at]), LONG_LINE) + 1 + (0 if kept else _HUNK_COST)
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
            if place and of_kind == "generated":
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
        for at, (line, body) in enumerate(zip(hunk.lines, bodies, strict=True)):
            mark = line[:1]
            if not body or (mark == " " and not body.startswith(_SIGNATURES)):
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
                    stems = {_stem(other) for row, other in zip(hunk.lines, bodies, strict=True) if row[:1] == "+"}
                rank -= self._sinks(body, base, stems)
            elif body in moved:
                rank -= 2
            if len(line) > _LONG:
                rank = rank - 2 if rank > 2 else 0
            ranks.append((at, rank if rank > least or len(line) > _LONG else least))
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
            for line, body in zip(hunk.lines, texts, strict=True):
                mark = line[:1]
                if mark == "+":
                    added.add(body)
                elif mark == "-":
                    removed.add(body)
    return added & removed


def _stem(body: str) -> str:
    """Return the part of a line that stays when it is rewritten: up to a bracket, a colon or a sign of equality."""
    return body.partition("(")[0].partition("=")[0].partition(":")[0]


def _told(file: FileDiff, kept: list[list[int]], rest: list[str]) -> list[Piece]:
    """Return the heading, the chosen lines under their hunks, and a count of the other changes; *rest* takes the context."""
    pieces = list(head_pieces(file))
    gone: dict[str, list[str]] = {"+": [], "-": []}
    before = ""
    for hunk, chosen in zip(file.hunks, kept, strict=True):
        if chosen:
            pieces.append(_told_header(hunk.header, before))
            before = hunk.header
            pieces.extend(shortened(hunk.lines[at]) for at in chosen)
        else:
            rest.append(hunk.header)
        left = set(chosen)
        for at, line in enumerate(hunk.lines):
            if at not in left:
                gone.get(line[:1], rest).append(line)
    pieces.append(Fold(gone["+"], "added line", told=True))
    pieces.append(Fold(gone["-"], "removed line", told=True))
    return pieces


def _told_header(header: str, before: str) -> Piece:
    """Return a hunk's heading without the lengths, which no longer hold, and without a section that was just named."""
    found = _PLACE.match(header)
    if found is None:
        return header
    old, new, section = found.groups()
    said = not section or before.endswith(section)
    return Recast(f"@@ {old} {new} @@{'' if said else section}", [header])
