"""The parts FAILURES and ERRORS: one block a failure, told once where several failed alike."""

from __future__ import annotations

from token_saver.processors.pytest import _marks as m
from token_saver.processors.pytest import _output, _trace
from token_saver.text import Recast, rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from token_saver.processors.pytest._marks import Group, Mark
    from token_saver.processors.pytest._summary import Entry

HEADING = rx(r"_+ (?!_ )(\S.*?) _+$")
_KIND = rx(r"(ERROR (?:at setup of|at teardown of|collecting) |\[doctest\] )(.*)")


class Block:
    """One failure: its heading, its lines, and the entry of the short summary that names it."""

    __slots__ = ("body", "entry", "extra", "heading", "id", "kind", "name", "output", "reason", "trace")

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.body: list[str] = []
        self.trace: list[str] = []
        self.output: list[str] = []
        self.entry: Entry | None = None
        self.extra: list[str] = []
        self.id = ""
        self.reason = ""
        found = HEADING.match(heading)
        title = found.group(1) if found is not None else ""
        kind = _KIND.match(title)
        self.kind, self.name = (kind.group(1), kind.group(2)) if kind is not None else ("", title)

    def head(self, reason_shown: bool, worth: int) -> Iterator[Mark]:
        """Mark the heading: the full id from the short summary where it is known, with the reason where the block lacks it."""
        if self.entry is None:
            text = f"__ {self.kind}{self.name} __"
            if self.heading:
                yield worth, m.SOURCE, Recast(text, [self.heading]) if len(text) < len(self.heading) else self.heading
            return
        word = f"{self.entry.word}{self.entry.extra} "
        if self.kind.startswith("ERROR"):
            word = self.kind if self.id == self.name else f"{self.kind}{self.name} "
        brief = self.id and reason_shown and self.tells(self.reason)
        lines = [self.heading, self.entry.line] if self.heading else [self.entry.line]
        yield m.ALWAYS, m.SOURCE, Recast(word + self.id if brief else self.entry.line, lines + self.extra)

    def take(self, entry: Entry, identity: str) -> None:
        """Join *entry* to this block, with the lines below it (``-vv``) that the block tells too."""
        self.entry, self.id = entry, identity
        self.reason = entry.named[len(identity) + 3 :]
        entry.used = True
        if entry.more:
            told = {(line[1:] if _trace.is_reason(line) else line).strip() for line in self.body}
            self.extra = [line for line in entry.more if line.strip() in told or not line.strip()]
            entry.more = [line for line in entry.more if line.strip() not in told and line.strip()]

    def split(self) -> None:
        """Part the traceback from the captured output below it."""
        cut = next(
            (index for index, line in enumerate(self.body) if line[:3] == "---" and _output.HEAD.match(line)), len(self.body)
        )
        self.trace, self.output = self.body[:cut], self.body[cut:]

    def tells(self, reason: str) -> bool:
        """Tell whether the block itself shows the reason that the short summary gives."""
        start = reason.removesuffix("...")[:40].strip()
        return not start or any(start in line for line in reversed(self.body))


def read(lines: Sequence[str]) -> tuple[list[str], list[Block]]:
    """Return the lines before the first heading, and the blocks."""
    before: list[str] = []
    blocks: list[Block] = []
    for line in lines:
        if line[:1] == "_" and HEADING.match(line):
            blocks.append(Block(line))
        else:
            (blocks[-1].body if blocks else before).append(line)
    return (before, blocks) if blocks else _one_line_blocks(before)


def _one_line_blocks(lines: Sequence[str]) -> tuple[list[str], list[Block]]:
    """``--tb=line`` has no headings: each block ends with the place of its failure."""
    blocks = [Block("")]
    for line in lines:
        blocks[-1].body.append(line)
        if line[:1] != " " and not _trace.is_reason(line) and _trace.is_place(line):
            blocks.append(Block(""))
    rest = blocks.pop().body
    return ([*rest], blocks) if any(line.strip() for line in rest) or not blocks else (rest, blocks)


def join(blocks: Sequence[Block], entries: Sequence[Entry]) -> None:
    """Give each block its entry of the short summary, where heading and id agree as often on both sides."""
    failing = [entry for entry in entries if entry.word in ("FAILED", "ERROR", "SUBFAIL", "SUBFAILED")]
    if blocks and not any(block.heading for block in blocks):
        _join_in_order(blocks, failing)
        return
    waiting: dict[str, list[Block]] = {}
    for block in blocks:
        waiting.setdefault(_squeezed(block.name), []).append(block)
    named: dict[str, list[tuple[Entry, str]]] = {}
    for entry in failing:
        for key, identity in _keys(entry):
            if key in waiting:
                named.setdefault(key, []).append((entry, identity))
                break
    for key, found in named.items():
        if len(found) == len(waiting[key]):
            for block, (entry, identity) in zip(waiting[key], found, strict=True):
                block.take(entry, identity)


def _join_in_order(blocks: Sequence[Block], failing: Sequence[Entry]) -> None:
    """Without headings only the order tells which id a place belongs to; the reasons must agree."""
    if len(blocks) == len(failing) and all(block.tells(entry.reason()) for block, entry in zip(blocks, failing, strict=True)):
        for block, entry in zip(blocks, failing, strict=True):
            block.take(entry, next(entry.ids())[0])


def _keys(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield (heading, id) for each reading of the entry; headings join classes by dots and leave the file out."""
    for identity, _ in entry.ids():
        bracket = identity.find("[")
        plain, params = (identity, "") if bracket < 0 else (identity[:bracket], identity[bracket:])
        file, _, inner = plain.partition("::")
        yield _squeezed(inner.replace("::", ".") + params + entry.extra if inner else file + params), identity


def _squeezed(name: str) -> str:
    return "".join(name.split())


def groups(blocks: Sequence[Block], shown: set[str], worth: int) -> Iterator[Group]:
    """Mark the blocks; failures with the same reason at the same places share one traceback below all their names.

    Of several failures the reason is not told beside the id as well; of a single one it costs next to nothing.
    """
    reader = _trace.Reader()
    for first, *others in _alike(blocks):
        marks = reader.read(first.trace)
        told = any(mark[0] == m.REASON for mark in marks) or not any(map(_trace.is_reason, first.trace))
        brief = told and len(blocks) > 1
        group = [mark for block in (first, *others) for mark in block.head(brief, worth)]
        group += marks if first.heading else (_relative(mark, first.id) for mark in marks)
        if first.output:
            group += _outputs(first.output, shown)
        for block in others:
            group.append((m.NEVER, m.SAME, block.trace))
            if block.output:
                group += [(min(mark[0], m.REST), mark[1], mark[2]) for mark in _outputs(block.output, shown)]
        yield group


def _alike(blocks: Sequence[Block]) -> Iterable[list[Block]]:
    """Gather blocks that give the same reason at the same places."""
    found: dict[object, list[Block]] = {}
    for block in blocks:
        block.split()
        found.setdefault(_reason(block.trace) or id(block), []).append(block)
    return found.values()


def _relative(mark: Mark, identity: str) -> Mark:
    """Write the place of ``--tb=line`` as the id writes it: without the folders above the working directory."""
    worth, noun, piece = mark
    if not isinstance(piece, Recast) or piece.text[:1] != "/":
        return mark
    file = identity.partition("::")[0]
    above, found, rest = piece.text.partition(f"/{file}:")
    return (worth, noun, Recast(f"{file}:{rest}", piece.lines)) if file and found and ":" not in above else mark


def _outputs(lines: Sequence[str], shown: set[str]) -> Iterator[Mark]:
    waiting: list[str] = []
    for line in lines:
        found = _output.HEAD.match(line) if line[:3] == "---" else None
        if found is None:
            waiting.append(line)
            continue
        yield from _output.mark(waiting, shown)
        waiting = []
        yield _output.head(line, found.group(1))
    yield from _output.mark(waiting, shown)


def _reason(trace: Sequence[str]) -> tuple[str, ...]:
    """Return what makes two failures the same: every line of the reason and every place."""
    return tuple(line for line in trace if line[:1] not in " >_" and (_trace.is_reason(line) or _trace.is_place(line)))
