"""Findings: reports of a place and a reason, of which the first few of each kind say enough.

Readers make ``Finding`` objects (``token_saver.text.located`` and the families); ``choose`` decides which of them are
shown whole, which by their head alone, and which are counted with every file still named.
"""

from __future__ import annotations

from token_saver.text.folders import allowance, select
from token_saver.text.markers import cut
from token_saver.text.pieces import Fold, Recast
from token_saver.text.rx import rx
from token_saver.text.templates import template, templates
from token_saver.text.worth import ranks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.text.folders import Rules
    from token_saver.text.pieces import Piece

ERROR, WARNING, STYLE = 2, 1, 0
_WEIGHT = {ERROR: 4, WARNING: 2, STYLE: 1}
_QUOTED = rx(r"`[^`]*`|'[^']*'|\"[^\"]*\"|‘[^’]*’|“[^”]*”")
LEAST = 1600
LARGE = 40_000
SHORTEST = 25
WIDEST = 2000
FEW = 4
_DROPPED, _NAMED, _BRIEF, _WHOLE = 0, 1, 2, 3


class Finding:
    """One report of a tool.

    ``lines`` are all that it printed; the first ``head`` of them say what and where (or those whose indexes are
    ``picked``), the others are context. ``shown`` says the same as the head on one line, without padding ("" where the
    head is shown as it is). ``path`` and ``place``
    (line, or line:column; "" when unknown) tell where, ``rule`` is the code or name of what was broken ("" when the tool gives
    none), ``text`` the message, ``rank`` how much it matters, ``noun`` what it is called when it is counted, ``title``
    how many of the lines name it.
    """

    __slots__ = ("head", "lines", "noun", "path", "picked", "place", "rank", "rule", "shown", "text", "title")

    is_report = False

    def __init__(
        self,
        lines: list[str],
        path: str = "",
        place: str = "",
        rule: str = "",
        text: str = "",
        rank: int = WARNING,
        head: int = 1,
        shown: str = "",
        picked: Sequence[int] | None = None,
    ) -> None:
        self.lines = lines
        self.path = path
        self.place = place
        self.rule = rule
        self.text = text
        self.rank = rank
        self.head = head
        self.shown = shown
        self.picked = picked
        self.noun = ""
        self.title = 1

    def kind(self) -> str:
        """Return what groups findings: the rule, or the message without its names and numbers."""
        return self.rule or _QUOTED.sub("…", template(self.text[:200].partition("\n")[0]))

    def size(self) -> int:
        """Return the number of characters of the whole report."""
        if len(self.lines) == 1:
            return len(self.lines[0]) + 1
        return sum(map(len, self.lines)) + len(self.lines)

    def head_size(self) -> int:
        """Return the number of characters of the head."""
        if self.shown:
            return len(self.shown) + 1
        if len(self.lines) == 1:
            return len(self.lines[0]) + 1
        told = self.told()
        return sum(map(len, told)) + len(told)

    def told(self) -> list[str]:
        """Return the lines of the head."""
        return self.lines[: self.head] if self.picked is None else [self.lines[index] for index in self.picked]

    def context(self) -> list[str]:
        """Return the lines beside the head."""
        if self.picked is None:
            return self.lines[self.head :]
        picked = set(self.picked)
        return [line for index, line in enumerate(self.lines) if index not in picked]


class Heading:
    """A line over the findings of one file; shown when one of them is."""

    __slots__ = ("lines",)

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines


def is_failure(finding: Finding) -> bool:
    """Tell whether this is the report of a failed test, whose name is shown when its report is not."""
    return finding.rank == ERROR and (finding.is_report or finding.picked is not None)


if TYPE_CHECKING:
    Item = str | Fold | Recast | Finding | Heading


def report(
    items: Sequence[Item], quiet: Rules | None = None, *, noun: str = "finding", whole: int = 1, share: int = 80
) -> Iterator[Piece]:
    """Yield *items* as pieces, in *share* percent of the characters that are allowed for an output of that size.

    Lines that *quiet* knows are counted where they stand; a line that no reader reads to its end loses its middle.
    """
    plain: list[Item] = []
    chars = spoken = 0
    for item in items:
        if isinstance(item, str):
            chars += len(item) + 1
            known = quiet.noun(item) if quiet is not None and item.strip() else None
            spoken += 0 if known else len(item) + 1
            plain.append(Fold([item], known, known=True) if known else item)
        else:
            chars += _chars(item)
            plain.append(item)
    if chars > LARGE:
        share = min(share, 90)
    budget = max(LEAST, allowance(chars) * share // 100)
    if spoken > budget:
        plain = list(_shorter(plain, budget))
        spoken = budget
    for piece in choose(plain, max(budget // 2, budget - spoken), noun=noun, whole=whole):
        yield (
            Recast(cut(piece, WIDEST * 2 // 3, WIDEST // 3), [piece]) if isinstance(piece, str) and len(piece) > WIDEST else piece
        )


def _shorter(items: list[Item], budget: int) -> Iterator[Item]:
    """Of the lines that are no findings keep what is worth most in *budget* characters."""
    lines = [item for item in items if isinstance(item, str)]
    kept = [
        isinstance(piece, str)
        for piece in select(lines, budget, "line", value=ranks(lines, budget))
        for _ in (piece.lines if isinstance(piece, Fold) else (piece,))
    ]
    taken = iter(kept)
    for item in items:
        yield Fold([item], "line") if isinstance(item, str) and not next(taken) else item


def _chars(item: Fold | Recast | Finding | Heading) -> int:
    return sum(map(len, item.lines)) + len(item.lines)


def choose(items: Sequence[Item], budget: int, *, noun: str = "finding", whole: int = 2) -> Iterator[Piece]:
    """Yield *items* as pieces that take about *budget* characters.

    Of each rule the first *whole* findings keep their context while there is room, more keep their head, and the rest are
    counted behind the last finding, rule by rule, with their places. Errors count for more than warnings, warnings for
    more than matters of style. What is no finding stays.
    """
    found = [item for item in items if isinstance(item, Finding)]
    levels = _levels(found, budget, whole)
    last = max((index for index, item in enumerate(items) if isinstance(item, Finding)), default=-1)
    shown = _Shown(noun, budget // 3)
    taken = iter(levels)
    heading: list[str] = []
    for index, item in enumerate(items):
        if isinstance(item, Heading):
            shown.headings.extend(heading)
            heading = item.lines
        elif isinstance(item, Finding):
            level = next(taken)
            if level != _DROPPED:
                yield from heading
                heading = []
            yield from shown.at(level, item)
            if index == last:
                shown.headings.extend(heading)
                heading = []
                yield from shown.counted()
        else:
            yield item
    yield from heading


class _Shown:
    """Findings on their way into pieces, and what they left behind."""

    def __init__(self, noun: str, room: int) -> None:
        self.noun = noun
        self.room = room
        self.context: list[str] = []
        self.headings: list[str] = []
        self.dropped: list[Finding] = []

    def at(self, level: int, finding: Finding) -> Iterator[Piece]:
        """Yield what is seen of *finding* at *level*; the rest is counted later."""
        if level == _DROPPED:
            self.dropped.append(finding)
            self.context.extend(finding.lines[1:])
        elif level == _NAMED:
            yield from finding.lines[: finding.title]
            self.context.extend(finding.lines[finding.title :])
        elif level == _WHOLE and not finding.shown:
            yield from finding.lines
        else:
            yield from _head(finding)
            if level == _WHOLE:
                yield from finding.context()
            else:
                self.context.extend(finding.context())

    def counted(self) -> Iterator[Piece]:
        """Yield the folds for what was not seen: context, headings, and findings by rule."""
        if self.context:
            yield Fold(self.context, "line of context", known=True)
        if self.headings:
            yield Fold(self.headings, "heading", known=True, told=True)
        yield from _by_rule(self.dropped, self.noun, self.room)


def _head(finding: Finding) -> Iterator[Piece]:
    if finding.shown:
        yield Recast(finding.shown, finding.told())
    else:
        yield from finding.told()


def _levels(found: Sequence[Finding], budget: int, whole: int) -> list[int]:
    if sum(finding.size() for finding in found) <= budget:
        return [_WHOLE if whole else _BRIEF] * len(found)
    levels = [_DROPPED] * len(found)
    room, rich = budget * 3 // 4, budget * 4 // 10
    if any(is_failure(finding) for finding in found):
        room = budget
    for nth, fresh, index in _order(found, max(FEW * 8, budget // SHORTEST)):
        if room <= -budget // 2:
            break
        finding = found[index]
        if nth < whole and (size := finding.size()) <= min(rich, room):
            levels[index] = _WHOLE
            room -= size
            rich -= size
        elif nth == 0 or (room > 0 and (fresh or nth < FEW or finding.rank == ERROR) and finding.head_size() <= room):
            levels[index] = _BRIEF
            room -= finding.head_size()
        elif is_failure(finding):
            levels[index] = _NAMED
            room -= sum(map(len, finding.lines[: finding.title])) + finding.title
    return levels


def _order(found: Sequence[Finding], most: int) -> list[tuple[int, bool, int]]:
    """Return (how many of its rule stand before it, whether its message is new, index) by worth.

    First comes the first finding of each rule, then the second of each, …; an error counts as if it stood earlier. Of a
    rule no more than *most* are looked at: more are not shown.
    """
    rules: dict[str, list[int]] = {}
    for index, finding in enumerate(found):
        rules.setdefault(finding.kind(), []).append(index)
    rows = []
    for indexes in rules.values():
        first, again = _telling(found, indexes)
        for nth, index in enumerate([*first[:most], *again[:most]]):
            rank = found[index].rank
            rows.append((nth // _WEIGHT[rank], -rank, nth, nth < len(first), index))
    rows.sort()
    return [(nth, fresh, index) for _, _, nth, fresh, index in rows]


def _telling(found: Sequence[Finding], indexes: list[int]) -> tuple[list[int], list[int]]:
    """Split the findings of one rule: one of each message, and the same again; the last one early."""
    seen: set[str] = set()
    first: list[int] = []
    again: list[int] = []
    keys = templates([found[index].text.replace("\n", " ") for index in indexes])
    for index, key in zip(indexes, keys, strict=True):
        (again if key in seen else first).append(index)
        seen.add(key)
    if len(indexes) > 2:
        (again if again and again[-1] == indexes[-1] else first).pop()
        first.insert(1, indexes[-1])
    return first, again


def _by_rule(dropped: list[Finding], noun: str, room: int) -> Iterator[Piece]:
    rules: dict[str, list[Finding]] = {}
    for finding in dropped:
        rules.setdefault(_label(finding, noun), []).append(finding)
    for write in (_each, _places, _counts):
        names = {label: write(group) for label, group in rules.items()}
        if sum(map(len, names.values())) <= room:
            break
    else:
        yield from _summed(dropped, rules, noun)
        return
    for label, group in rules.items():
        yield Fold([finding.lines[0] for finding in group], label, known=True, names=names[label], told=True)


def _label(finding: Finding, noun: str) -> str:
    noun = finding.noun or noun
    if finding.rule:
        return f"{finding.rule} {noun}"
    kind = finding.kind().replace("0", "#").replace("]", ")")
    return f'{noun} of "{kind[:80]}"' if kind else noun


def _each(group: list[Finding]) -> str:
    """Return ``a.py:3:1, a.py:17:8, b.py:5:1``."""
    return ", ".join(f"{finding.path}:{finding.place}".rstrip(":") for finding in group if finding.path)


def _places(group: list[Finding]) -> str:
    """Return ``a.py:3,17, b.py:5``."""
    files: dict[str, list[str]] = {}
    for finding in group:
        files.setdefault(finding.path, []).append(finding.place.partition(":")[0])
    return ", ".join(path + (":" + ",".join(places) if places[0] else "") for path, places in files.items() if path)


def _counts(group: list[Finding]) -> str:
    """Return ``a.py ×2, b.py``."""
    files: dict[str, int] = {}
    for finding in group:
        files[finding.path] = files.get(finding.path, 0) + 1
    return ", ".join(path + (f" ×{count}" if count > 1 else "") for path, count in files.items() if path)


def _summed(dropped: list[Finding], rules: dict[str, list[Finding]], noun: str) -> Iterator[Piece]:
    """Stand for all at once: counts by rule, and each file once."""
    files = braced(dict.fromkeys(finding.path for finding in dropped if finding.path))
    counts = ", ".join(f"{label} ×{len(group)}" for label, group in rules.items())
    names = f"{counts}; in {files}" if files else counts
    yield Fold([finding.lines[0] for finding in dropped], noun, known=True, names=names, told=True)


def braced(paths: Iterable[str]) -> str:
    """Return the names of many files as a shell would expand them: ``src/{a,b}.py, tests/c.py``."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, slash, name = path.rpartition("/")
        folders.setdefault(folder + slash, []).append(name)
    return ", ".join(_in_folder(folder, names) for folder, names in folders.items())


def _in_folder(folder: str, names: list[str]) -> str:
    if len(names) == 1:
        return folder + names[0]
    ends = {name.rpartition(".")[2] for name in names}
    if len(ends) == 1 and all("." in name for name in names):
        end = "." + ends.pop()
        return folder + "{" + ",".join(name.removesuffix(end) for name in names) + "}" + end
    return folder + "{" + ",".join(names) + "}"
