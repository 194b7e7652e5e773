"""Which items of an array of a document are alike, which are odd, and what an item is called."""

from __future__ import annotations

from token_saver.text.critical import critical_lines, is_critical
from token_saver.text.document_values import Pairs
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from token_saver.text.document_values import Value

PER_TEMPLATE = 2
_FEW = 4
"""Parts of an item that are looked at for their state: the containers of a pod, not the rows of a table."""
NAMES = ("name", "id", "path", "key", "title", "arn", "file", "filename", "package", "label", "kind")
_TEXTS = frozenset(("message", "msg", "error", "text", "title", "event", "log", "detail"))
STATUS = frozenset(
    (
        *("status", "state", "phase", "severity", "level", "conclusion", "result", "outcome", "health", "healthy", "ok"),
        *("success", "ready", "error", "errors", "failed", "failure", "reason", "exitcode", "exit_code", "returncode", "code"),
        *("restartcount", "restarts", "retries"),
    )
)


class Likeness:
    """What the items of one array have in common: the shape of each, the common shapes, and the odd items, oddest first."""

    __slots__ = ("common", "odd", "shapes")

    def __init__(self, items: Sequence[Value]) -> None:
        self.shapes = [_shape(item) for item in items]
        groups: dict[object, list[int]] = {}
        for index, shape in enumerate(self.shapes):
            groups.setdefault(shape, []).append(index)
        self.common = frozenset(shape for shape, where in groups.items() if len(where) > max(1, len(items) // 8))
        self.odd = _odd(items, groups)


def _shape(item: Value) -> object:
    if isinstance(item, Pairs):
        return tuple([key for key, _ in item])
    return len(item) if isinstance(item, list) else type(item)


def _odd(items: Sequence[Value], groups: Mapping[object, list[int]]) -> list[int]:
    """Return the indexes of items that an agent would look for, oddest first; *groups* has them by shape."""
    if not isinstance(items[0], list):
        return critical_lines([item if isinstance(item, str) else "" for item in items])
    rank = [0] * len(items)
    if max(map(len, groups.values())) > len(items) // 2:
        for where in groups.values():
            if len(where) <= max(1, len(items) // 20):
                for index in where:
                    rank[index] = 1
    _raise_states(items, groups, rank)
    _raise_texts(items, groups, rank)
    return sorted((index for index in range(len(items)) if rank[index]), key=lambda index: (-rank[index], index))


def _raise_states(items: Sequence[Value], groups: Mapping[object, list[int]], rank: list[int]) -> None:
    """Raise the rank of items with a state that few share (2) or that speaks of failure (3)."""
    states: dict[tuple[str, object], list[int]] = {}
    for where in groups.values():
        first = items[where[0]]
        if isinstance(first, Pairs) and any(key.lower() in STATUS or isinstance(value, Pairs) for key, value in first):
            for index in where:
                for state in _states(items[index], 3):
                    states.setdefault(state, []).append(index)
    kinds: dict[str, int] = {}
    for key, _ in states:
        kinds[key] = kinds.get(key, 0) + 1
    few = max(1, len(items) // 10)
    for (key, value), having in states.items():
        bad = isinstance(value, str) and len(having) <= len(items) // 2 and is_critical(value)
        if bad or (len(having) <= few and 1 < kinds[key] <= 6):
            for index in having:
                rank[index] = max(rank[index], 3 if bad else 2)


def _states(item: object, reach: int) -> Iterator[tuple[str, object]]:
    if isinstance(item, Pairs):
        for key, value in item:
            if isinstance(value, Pairs):
                if reach > 1:
                    yield from _states(value, reach - 1)
            elif isinstance(value, list):
                if reach > 1 and len(value) <= _FEW:
                    for part in value:
                        yield from _states(part, reach - 1)
            elif key.lower() in STATUS:
                yield key, value


def _raise_texts(items: Sequence[Value], groups: Mapping[object, list[int]], rank: list[int]) -> None:
    """Raise the rank of the first items whose message is of one template (1), or speaks of failure (3); few failures all."""
    texts: dict[int, str] = {}
    for where in groups.values():
        first = items[where[0]]
        at = next((at for at, (key, _) in enumerate(first) if key.lower() in _TEXTS), -1) if isinstance(first, Pairs) else -1
        if at >= 0:
            for index in where:
                value = items[index][at][1]  # type: ignore[index]
                texts[index] = value[:500].replace("\n", " ") if isinstance(value, str) else ""
    order = sorted(texts)
    hits = {order[hit] for hit in critical_lines([texts[index] for index in order])}
    seen: dict[str, int] = {}
    are_few = len(hits) <= max(PER_TEMPLATE, len(order) // 10)
    for index, key in zip(order, templates([texts[index] for index in order]), strict=True):
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= PER_TEMPLATE or (are_few and index in hits):
            rank[index] = max(rank[index], 3 if index in hits else 1)


def name_of(item: Value) -> str:
    """Return the name of an item: its name or id, else its first short text; "" for what has none."""
    if isinstance(item, str):
        return item if len(item) <= 80 else ""
    if not isinstance(item, Pairs):
        return ""
    plain = {key.lower(): value for key, value in item if isinstance(value, str) and 0 < len(value) <= 120}
    for key in NAMES:
        if key in plain:
            return plain[key]
    below = next((name_of(value) for key, value in item if isinstance(value, Pairs)), "")
    if below:
        return below
    ids = next((value for key, value in plain.items() if key.endswith(("id", "name", "arn"))), "")
    return ids or next((value for value in plain.values() if type(value) is str and len(value) <= 60), "")
