"""Writes the values of a JSON document with more or less detail; ``documents`` says what the losses look like."""

from __future__ import annotations

from token_saver.text.critical import critical_lines, is_critical
from token_saver.text.document_values import Pairs
from token_saver.text.likeness import Likeness, name_of
from token_saver.text.markers import cut, marker
from token_saver.text.rx import rx
from token_saver.text.templates import templates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from token_saver.text.document_values import Value

DEEPEST = 60
WIDTH = 110
MOST_SEARCHED = 20_000
LEAST_ARRAYS = 8


class Detail:
    """How much of a document is shown: one step of the way from everything to an outline.

    *text* characters of a long text; *whole* alike items and *odd* ones in full; *simple* plain values of an array and
    *keys* of an object; of *slim* other items *identity* pairs down to *reach* levels below them; *names* characters of names
    in a marker; *depth* levels of nesting.
    """

    __slots__ = ("depth", "identity", "keys", "names", "odd", "reach", "simple", "slim", "text", "whole")

    def __init__(self, *row: int) -> None:
        self.text, self.whole, self.odd, self.simple, self.keys = row[:5]
        self.slim, self.identity, self.reach, self.names, self.depth = row[5:]


ALL = 1 << 30
STEPS = (
    #       text whole odd simple keys slim ident reach names depth
    Detail(ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, ALL, DEEPEST),
    Detail(2000, 40, 60, 200, 400, ALL, 12, DEEPEST, 2000, DEEPEST),
    Detail(800, 12, 40, 100, 200, ALL, 10, DEEPEST, 2000, DEEPEST),
    Detail(400, 5, 30, 60, 120, ALL, 8, DEEPEST, 1500, DEEPEST),
    Detail(300, 3, 20, 40, 80, ALL, 8, 6, 1500, 30),
    Detail(240, 3, 15, 30, 60, ALL, 6, 4, 1500, 20),
    Detail(200, 2, 12, 20, 50, ALL, 5, 3, 1200, 12),
    Detail(160, 2, 10, 12, 40, ALL, 4, 2, 1200, 10),
    Detail(140, 1, 8, 8, 40, ALL, 3, 2, 1000, 9),
    Detail(120, 1, 8, 8, 30, 200, 2, 2, 1000, 8),
    Detail(120, 1, 8, 8, 30, 80, 3, 2, 1000, 8),
    Detail(120, 1, 8, 6, 30, 40, 3, 2, 1000, 8),
    Detail(120, 1, 6, 5, 30, 20, 3, 2, 1000, 8),
    Detail(100, 1, 5, 4, 25, 8, 3, 2, 600, 7),
    Detail(80, 1, 3, 3, 25, 3, 3, 1, 300, 6),
    Detail(80, 1, 2, 2, 20, 0, 0, 0, 200, 4),
    Detail(60, 1, 1, 2, 20, 0, 0, 0, 100, 3),
)

_SPACED = ('", "', "}, {", '], "', '}, "', ', {"')
_TELLING = ("rror", "ailed", "xception", "raceback", "panic", "denied", "atal")
_SURROGATES = rx(r"[\ud800-\udfff]")
_FIRST = frozenset(
    (
        *("name", "id", "version", "arn", "status", "state", "phase", "path", "kind", "namespace", "severity", "level", "key"),
        *("title", "code", "file", "filename", "line", "rule", "ruleid", "number", "sha", "tag", "type", "reason", "package"),
        *("result", "conclusion", "outcome", "message"),
    )
)
_SECOND = ("Id", "_id", "ID", "Name", "_name", "Arn", "_arn", "Version", "_version", "Status", "_status", "State", "_state")


class FullError(Exception):
    """The budget of a writer is used up."""


class Style:
    """How a document was written: its quoting, its separators, on one line or on many."""

    __slots__ = ("_careful", "_encode", "colon", "comma", "many_lines")

    def __init__(self, text: str) -> None:
        from json.encoder import encode_basestring, encode_basestring_ascii

        ascii_only = text.isascii()
        self._encode: Callable[[str], str] = encode_basestring_ascii if ascii_only else encode_basestring
        self._careful = not ascii_only and ("\\ud" in text or "\\uD" in text)
        self.many_lines = "\n" in text.strip()
        self.colon = '": ' if '": ' in text else '" : ' if '" : ' in text else '":'
        self.comma = ", " if self.many_lines or any(between in text for between in _SPACED) else ","

    def quote(self, text: str) -> str:
        """Return *text* as a string of the document."""
        quoted = self._encode(text)
        return _SURROGATES.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted) if self._careful else quoted

    def key(self, text: str) -> str:
        """Return *text* as a key, with the colon."""
        return self.quote(text)[:-1] + self.colon

    def told(self, text: str) -> str:
        """Return a text of ours as a string: the sign that opens a marker is never escaped."""
        return "…".join(self.quote(part)[1:-1] for part in text.split("…")).join('""')


class Writer:
    """Writes one document with one step of detail; raises ``FullError`` past its room."""

    __slots__ = ("detail", "found", "ranks", "room", "style")

    def __init__(self, style: Style, detail: Detail, room: int, found: dict[int, Likeness]) -> None:
        self.style = style
        self.detail = detail
        self.room = room
        self.found = found
        self.ranks: dict[str, int] = {}

    def value(self, value: Value, depth: int, key: str = "") -> str:
        if isinstance(value, list):
            if not value:
                return self._spend("{}" if isinstance(value, Pairs) else "[]")
            if depth >= self.detail.depth:
                return self._spend(self.style.told(self._outline(value)))
            return self._object(value, depth) if isinstance(value, Pairs) else self._array(value, depth)
        if type(value) is str:
            return self._spend(self._string(value, key))
        if isinstance(value, str):
            return self._spend(value)
        return self._spend("null" if value is None else "true" if value else "false")

    def lines(self, values: list[Value]) -> str:
        """Return a document a line."""
        self.style.many_lines = False
        return "\n".join(self._items(values, 0))

    def _spend(self, text: str) -> str:
        self.room -= len(text)
        if self.room < 0:
            raise FullError
        return text

    def _string(self, text: str, key: str) -> str:
        limit = self.detail.text
        if len(text) <= limit or not _may_cut(text) or (self._rank(key) and len(text) < 4 * limit):
            return self.style.quote(text) if len(text) <= self.room else self._spend(text)
        return self.style.told(_shorter(text, limit))

    def _outline(self, value: Pairs | list[Value]) -> str:
        if isinstance(value, Pairs):
            return marker([(len(value), "key", self._listed(key for key, _ in value))])
        return marker([(len(value), "item", self._listed(map(name_of, value)))])

    def _listed(self, made: Iterable[str]) -> str:
        """Return the names that fit, joined; the sign of omission stands for the others, and for all in a row of numbers."""
        names = list(dict.fromkeys(made))
        if len(names) > 3 and len(set(templates(names[:50]))) == 1:
            names = [names[0], "…", names[-1]]
        left = self.detail.names
        shown: list[str] = []
        for name in names:
            left -= len(name) + 2
            if not name or (left < 0 and shown):
                return ", ".join([*shown, "…"]) if shown else ""
            shown.append(name)
        return ", ".join(shown)

    def _object(self, pairs: Pairs, depth: int) -> str:
        if len(pairs) > self.detail.whole and len(pairs) > 3 and _is_map(pairs):
            return self._joined("{", self._entries(pairs, depth), "}", depth)
        kept, left = pairs, Pairs()
        if len(pairs) > self.detail.keys:
            kept, left = self._told_keys(pairs)
        parts = [self._pair(key, value, depth) for key, value in kept]
        if left:
            parts.append(self._note(left, "key"))
        return self._joined("{", parts, "}", depth)

    def _pair(self, key: str, value: Value, depth: int) -> str:
        return self._spend(self.style.key(key)) + self.value(value, depth + 1, key)

    def _note(self, left: Pairs, noun: str) -> str:
        mark = self.style.told(marker([(len(left), noun, "")]))[:-1] + self.style.colon
        return self._spend(mark + self.style.told(self._listed(key for key, _ in left)))

    def _told_keys(self, pairs: Pairs) -> tuple[Pairs, Pairs]:
        """Part the pairs of a wide object: identity, failures and the first ones, and all others."""
        room = self.detail.keys
        kept, left = Pairs(), Pairs()
        for pair in pairs:
            text = f"{pair[0]}: {pair[1]}" if isinstance(pair[1], str) else ""
            if len(kept) < room or self._rank(pair[0]) == 1 or (text and len(kept) < 2 * room and is_critical(text)):
                kept.append(pair)
            else:
                left.append(pair)
        return kept, left

    def _entries(self, pairs: Pairs, depth: int) -> list[str]:
        """Return the entries of a map: some whole, of others the identity, the rest as names."""
        values = [value for _, value in pairs]
        whole, slim = self._chosen(values, id(pairs))
        used: list[str] = []
        shown: list[str] = []
        left = Pairs()
        for index, (key, value) in enumerate(pairs):
            if index in whole:
                shown.append(self._pair(key, value, depth))
            elif index in slim:
                _note_keys(slim[index], used)
                shown.append(self._pair(key, slim[index], depth))
            else:
                left.append((key, value))
        if used:
            note = self.style.told(marker([(len(slim), "entry of these keys only", "")]))
            shown.insert(0, self._spend(note[:-1] + self.style.colon + self.style.quote(", ".join(used))))
        return [*shown, self._note(left, "similar entry")] if left else shown

    def _array(self, items: list[Value], depth: int) -> str:
        return self._joined("[", self._items(items, depth + 1), "]", depth)

    def _items(self, items: list[Value], depth: int) -> list[str]:
        """Return the elements of an array: some whole, of others the identity, the rest in markers where they stood."""
        plain = not isinstance(items[0], list)
        if len(items) <= (self.detail.simple if plain else self.detail.whole) or len(items) < 3:
            return [self.value(item, depth) for item in items]
        whole, slim = self._chosen(items, id(items))
        used: list[str] = []
        for kept in slim.values():
            _note_keys(kept, used)
        note = [(len(slim), "item of these keys only", ", ".join(used))] if used else []
        shown: list[str] = []
        waiting: list[Value] = []
        for index, item in enumerate(items):
            if index not in whole and index not in slim:
                waiting.append(item)
                continue
            if waiting:
                shown.append(self._counted(waiting))
                waiting = []
            if index in slim and note:
                shown.append(self._spend(self.style.told(marker(note))))
                note = []
            shown.append(self.value(slim.get(index, item), depth))
        return [*shown, self._counted(waiting)] if waiting else shown

    def _counted(self, items: list[Value]) -> str:
        names = "" if not isinstance(items[0], list) else self._listed(map(name_of, items))
        return self._spend(self.style.told(marker([(len(items), "similar item", names)])))

    def _chosen(self, items: list[Value], place: int) -> tuple[set[int], dict[int, Pairs]]:
        """Return which items are shown whole, and what is shown of which others; *place* is the id of their container."""
        like = self.found.get(place)
        if like is None:
            like = self.found[place] = Likeness(items)
        most = self.detail.whole if isinstance(items[0], list) else self.detail.simple
        seen: dict[object, int] = {}
        whole = set(like.odd[: self.detail.odd])
        for index, shape in enumerate(like.shapes):
            count = seen.get(shape, 0)
            if count < most and (shape in like.common or not index):
                seen[shape] = count + 1
                whole.add(index)
        return whole, self._slim(items, whole)

    def _slim(self, items: list[Value], whole: set[int]) -> dict[int, Pairs]:
        """Return the identity of items that are not shown whole: of both ends when there is no room for all, of equals once."""
        slim: dict[int, Pairs] = {}
        seen: set[str] = set()
        rest = [index for index, item in enumerate(items) if index not in whole and isinstance(item, Pairs)]
        room = self.detail.slim
        for index in rest if len(rest) <= room else [*rest[: room - room // 4], *rest[len(rest) - room // 4 :]]:
            item = items[index]
            kept = self._identity(item, self.detail.reach) if isinstance(item, Pairs) else None
            if kept and (told := repr(kept)) not in seen:
                seen.add(told)
                slim[index] = kept
        return slim

    def _identity(self, pairs: Pairs, reach: int) -> Pairs:
        """Return the pairs that tell one item from another, and which state it is in."""
        ranked = [
            (self._rank(key), at) for at, (key, value) in enumerate(pairs) if not isinstance(value, list) and self._rank(key)
        ]
        best = {at for _, at in sorted(ranked)[: self.detail.identity]}
        kept = Pairs()
        for at, (key, value) in enumerate(pairs):
            if at in best:
                kept.append((key, value))
            elif isinstance(value, Pairs) and reach > 1:
                below = self._identity(value, reach - 1)
                if below:
                    kept.append((key, below))
        return kept

    def _rank(self, key: str) -> int:
        """Return 1 for a key of identity, 2 for one that looks so, 0 for any other."""
        rank = self.ranks.get(key)
        if rank is None:
            rank = self.ranks[key] = 1 if key.lower().strip("@_$") in _FIRST else 2 if key.endswith(_SECOND) else 0
        return rank

    def _joined(self, opening: str, parts: list[str], closing: str, depth: int) -> str:
        comma = self.style.comma
        if not self.style.many_lines:
            return opening + comma.join(parts) + closing
        if sum(map(len, parts)) + 2 * len(parts) + depth <= WIDTH and not any("\n" in part for part in parts):
            return opening + comma.join(parts) + closing
        pad = "\n" + " " * (depth + 1)
        return opening + pad + ("," + pad).join(parts) + pad[:-1] + closing


def _note_keys(kept: Pairs, used: list[str]) -> None:
    for key, value in kept:
        if isinstance(value, Pairs):
            _note_keys(value, used)
        elif key not in used:
            used.append(key)


def _is_map(pairs: Pairs) -> bool:
    """Tell whether an object maps names to alike values: objects most of which share a key, or many arrays."""
    first = type(pairs[0][1])
    if first not in (Pairs, list) or any(type(value) is not first for _, value in pairs):
        return False
    if first is list:
        return len(pairs) >= LEAST_ARRAYS
    counts: dict[str, int] = {}
    for _, value in pairs:
        if isinstance(value, Pairs):
            for key, _ in value:
                counts[key] = counts.get(key, 0) + 1
    return max(counts.values(), default=0) > len(pairs) // 2


def _may_cut(text: str) -> bool:
    """Tell whether a long text is prose, a log or a blob rather than an identifier, an address or a path."""
    return " " in text or "\n" in text or len(text) > 1000


def _shorter(text: str, limit: int) -> str:
    """Cut the middle out of *text*, but not the first line of failure in it."""
    if "\n" in text and len(text) <= MOST_SEARCHED and any(word in text for word in _TELLING):
        lines = text.split("\n")
        hit = next(iter(critical_lines(lines)), None)
        if hit is not None:
            start = sum(map(len, lines[:hit])) + hit
            end = start + min(len(lines[hit]), limit)
            if limit // 2 < start and end < len(text) - limit // 4:
                return cut(text[:start], limit // 2, 0, failures=False) + cut(
                    text[start:], end - start, limit // 4, failures=False
                )
    return cut(text, limit * 2 // 3, limit // 3, failures="\n" not in text and len(text) <= MOST_SEARCHED)
