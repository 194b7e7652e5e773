"""YAML documents made smaller while they stay documents: alike items of a block sequence are counted in a comment.

    items:
    - name: web-1
      status: running
    # [… 57 similar items: web-2, web-3, …]

Lines are read by their indentation (YAML 1.2, chapter 8): items with the same keys are alike; the first two of each kind,
those with a state that few share and those that speak of failure stay whole. Everything outside such sequences stays.
"""

from __future__ import annotations

from token_saver.text.critical import critical_lines
from token_saver.text.folders import allowance
from token_saver.text.likeness import NAMES, STATUS
from token_saver.text.markers import marker
from token_saver.text.pieces import Recast, exact
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from token_saver.text.pieces import Piece

LEAST = 6
SHOWN = 2
_MOST_NAMES = 200
_KEY = r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^\s#\"'][^:]*):\s+"
_BLOCK = rx(r"(?P<before>\s*(?:- +)*)(?:" + _KEY + r")?(?:[&!]\S*\s+){0,2}[|>][+-]?\d?[+-]?\s*(?:#.*)?$")
_FIELD = rx(r"(?P<before>\s*(?:- +)*)(?P<key>[\w./$-]{1,80}|\"[^\"]{1,80}\"|'[^']{1,80}'):(?:\s+(?P<value>\S.*?))?\s*$")
_OPEN_QUOTE = rx(r"\s*(?:- +)*(?:" + _KEY + r""")?(?:"(?:[^"\\]|\\.)*|'(?:[^']|'')*)$""")


class _Item:
    """One item: its lines from *start* to *end*, its keys with their depth, its states and its name."""

    __slots__ = ("end", "name", "shape", "start", "states")

    def __init__(self, lines: Sequence[str], start: int, end: int) -> None:
        self.start = start
        self.end = end
        names: dict[str, str] = {}
        keys: list[tuple[int, str]] = []
        self.states: list[tuple[str, str]] = []
        for line in lines[start:end]:
            found = _FIELD.match(line)
            if found is None:
                continue
            key, value = found["key"].strip("\"'"), found["value"] or ""
            keys.append((len(found["before"]), key))
            if key.lower() in STATUS:
                self.states.append((key, value))
            if value and key.lower() in NAMES:
                names.setdefault(key.lower(), value.strip("\"'"))
        self.name = next((names[key] for key in NAMES if key in names), "") if keys else lines[start].strip().removeprefix("- ")
        self.shape = tuple(keys)


def read_yaml(lines: Sequence[str]) -> list[Piece]:
    """Return the pieces of a YAML document: the lines, and one comment for each run of items that are left out."""
    if sum(map(len, lines)) + len(lines) <= allowance(sum(map(len, lines))):
        return exact(lines)
    content = _content(lines)
    if content is None:
        return exact(lines)
    pieces: list[Piece] = []
    done = 0
    for indent, items in _sequences(lines, content):
        if items[0].start < done:
            continue
        left_out = _alike(lines, items)
        for run in _runs(left_out):
            pieces += lines[done : run[0].start]
            start, done = run[0].start, run[-1].end
            comment = " " * indent + "# " + marker([(len(run), "similar item", _names(run))])
            folded = lines[start:done]
            pieces += [Recast(comment, folded)] if len(comment) < sum(map(len, folded)) else folded
    return exact([*pieces, *lines[done:]])


def _content(lines: Sequence[str]) -> list[bool] | None:
    """Tell of each line whether it stands inside a block scalar; None when a quoted text goes over several lines."""
    inside: list[bool] = []
    parent = -1
    for line in lines:
        if parent >= 0 and (not line.strip() or len(line) - len(line.lstrip(" ")) > parent):
            inside.append(True)
            continue
        inside.append(False)
        found = _BLOCK.match(line)
        parent = len(found["before"]) if found else -1
        if not found and _OPEN_QUOTE.match(line):
            return None
        if found and line.lstrip().startswith("- ") and ":" not in line:
            parent = len(line) - len(line.lstrip(" "))
    return inside


def _sequences(lines: Sequence[str], content: Sequence[bool]) -> Iterator[tuple[int, list[_Item]]]:
    """Yield the indentation and the items of every long sequence, an outer one before those in it."""
    open_at: dict[int, list[int]] = {}
    found: list[tuple[int, list[int], int]] = []
    for index, line in enumerate(lines):
        stripped = line.lstrip(" ")
        if content[index] or not stripped or stripped.startswith("#"):
            continue
        indent = len(line) - len(stripped)
        is_item = stripped.startswith("- ") or stripped == "-"
        for deeper in [depth for depth in open_at if depth > indent or (depth == indent and not is_item)]:
            found.append((deeper, open_at.pop(deeper), index))
        if is_item:
            open_at.setdefault(indent, []).append(index)
    found += [(depth, starts, len(lines)) for depth, starts in open_at.items()]
    for depth, starts, end in sorted(found, key=lambda each: each[1][0]):
        if len(starts) >= LEAST:
            borders = [*starts, end]
            yield depth, [_Item(lines, start, stop) for start, stop in zip(starts, borders[1:], strict=True)]


def _alike(lines: Sequence[str], items: Sequence[_Item]) -> list[_Item]:
    """Return the items that may go: of a common shape, not the first of it, and with nothing odd about them."""
    shapes: dict[object, int] = {}
    states: dict[tuple[str, str], int] = {}
    for item in items:
        shapes[item.shape] = shapes.get(item.shape, 0) + 1
        for state in set(item.states):
            states[state] = states.get(state, 0) + 1
    few = max(1, len(items) // 10)
    seen: dict[object, int] = {}
    left_out = []
    for item in items:
        seen[item.shape] = seen.get(item.shape, 0) + 1
        is_odd = shapes[item.shape] <= few or any(states[state] <= few for state in item.states)
        if not is_odd and seen[item.shape] > SHOWN and not critical_lines(lines[item.start : item.end]):
            left_out.append(item)
    return left_out


def _runs(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    run: list[_Item] = []
    for item in items:
        if run and run[-1].end != item.start:
            yield run
            run = []
        run.append(item)
    if run:
        yield run


def _names(run: Sequence[_Item]) -> str:
    """Return the names of the items, as many as there is room for."""
    names = dict.fromkeys(item.name for item in run if item.name)
    shown: list[str] = []
    for name in names:
        if sum(map(len, shown)) + len(name) > _MOST_NAMES:
            return ", ".join([*shown, "…"]) if shown else ""
        shown.append(name)
    return ", ".join(shown)
