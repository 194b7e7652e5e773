"""From the bytes of one file to its symbols, references and imports; pure, and bounded in time and size.

The results are plain tuples (NamedTuples), because they travel from worker processes.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import time
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from token_saver.redaction import mask
from token_saver_navigator.languages import BY_NAME, load
from token_saver_navigator.names import distinct, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tree_sitter import Node, Tree

MOST_BYTES = 2 << 20
"""A larger file is skipped: it is data or was generated."""
MOST_LINE = 100_000
"""Nobody wrote a line of more bytes by hand."""
MOST_SECONDS = 5.0
MOST_DEPTH = 400
_MOST_BROKEN = 20_000
_CHUNK = 1 << 16
_MOST_SIGNATURE = 400
_MOST_DOC = 4000
_MOST_QUALIFIER = 60
OK, PARTIAL, SKIPPED, FAILED = "ok", "partial", "skipped", "failed"


class Symbol(NamedTuple):
    """A definition. Lines count from 1; ``parent`` is a position in the same list, -1 at the top; no body, or one of a docstring
    alone: 0 to 0."""

    kind: str
    name: str
    qualified: str
    parent: int
    start: int
    end: int
    line: int
    end_line: int
    name_line: int
    body_line: int
    body_end: int
    signature: str
    doc: str
    body_hash: str
    words: str


class Reference(NamedTuple):
    """Uses of a *name* within one symbol (-1: outside of all); *qualifier* is what stands before its dot, "" for none."""

    name: str
    kind: str
    qualifier: str
    symbol: int
    lines: str


class Import(NamedTuple):
    """A name that comes from elsewhere: *name* of *target* ("" for the module itself), known here as *alias*."""

    line: int
    end_line: int
    target: str
    name: str
    alias: str


class Parsed(NamedTuple):
    """What one file holds. *state* is ``ok``, ``partial`` (parts could not be parsed), ``skipped`` or ``failed``."""

    state: str
    reason: str
    sha: str
    lines: int
    doc: str
    symbols: Sequence[Symbol] = ()
    references: Sequence[Reference] = ()
    imports: Sequence[Import] = ()


def sha_of(data: bytes) -> str:
    """Return the digest by which a file or a body is known again."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def parse(data: bytes, language: str) -> Parsed:
    """Return what *data*, a file in *language*, holds; never raises for what stands in it."""
    sha, lines = sha_of(data), data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
    reason = objection(data)
    if reason:
        return Parsed(SKIPPED, reason, sha, lines, "")
    loaded = load(language)
    if loaded.grammar is None or loaded.query is None:
        return Parsed(FAILED, loaded.reason, sha, lines, "")
    try:
        found, erroneous = _matches(data, language)
    except TimeoutError:
        return Parsed(FAILED, f"took more than {MOST_SECONDS:g} seconds or is nested too deeply", sha, lines, "")
    reading = _Reading(data, BY_NAME[language].indentation, found)
    reason = loaded.reason or ("parts could not be parsed" if erroneous else "")
    state = PARTIAL if reason else OK
    return Parsed(state, reason, sha, lines, reading.module_doc, reading.symbols, reading.references(), reading.imports)


def objection(data: bytes) -> str:
    """Return why a file's content is not parsed, "" when it is."""
    if len(data) > MOST_BYTES:
        return f"larger than {MOST_BYTES >> 20} MB"
    if b"\0" in data[:8192]:
        return "not text"
    if len(data) > MOST_LINE and max(map(len, data.split(b"\n"))) > MOST_LINE:
        return f"a line of more than {MOST_LINE:,} bytes"
    return ""


Match = tuple[int, "dict[str, list[Node]]"]


def _matches(data: bytes, language: str) -> tuple[list[Match], bool]:
    """Return the matches of the language's query, and whether parts of the file could not be parsed.

    The time of the parser is bounded here. The cursor of a query has no such bound that works, and its time grows with the
    square of the children of one broken node, so there is a limit to those.
    """
    from tree_sitter import QueryCursor

    query = load(language).query
    assert query is not None
    root = tree_of(data, language).root_node
    if root.has_error and any(node.child_count > _MOST_BROKEN for node in (root, *root.children[:_MOST_BROKEN])):
        raise TimeoutError
    cursor = QueryCursor(query)
    cursor.set_max_start_depth(MOST_DEPTH)
    return cursor.matches(root), root.has_error


def tree_of(data: bytes, language: str) -> Tree:
    """Return the syntax tree of *data*; raises TimeoutError when that takes too long."""
    from tree_sitter import Parser

    deadline = time.monotonic() + MOST_SECONDS
    try:
        return Parser(load(language).grammar).parse(
            lambda offset, _: data[offset : offset + _CHUNK], progress_callback=lambda *_: time.monotonic() > deadline
        )
    except ValueError as error:
        raise TimeoutError from error


class _Definition(NamedTuple):
    kind: str
    node: Node
    name: Node
    body: Node | None
    receiver: str


class _Reading:
    """Turns the matches of a query into rows."""

    def __init__(self, data: bytes, indentation: bool, found: Sequence[Match]) -> None:
        self._data = data
        self._indentation = indentation
        self._definitions: dict[tuple[int, int], _Definition] = {}
        self._scopes: list[tuple[int, int, str]] = []
        self._outer: dict[int, Node] = {}
        self._docs: dict[int, Node] = {}
        self._comments: dict[int, Node] = {}
        self._skipped: dict[int, int] = {}
        self._uses: list[tuple[int, int, str, str, str]] = []
        self._spans: list[tuple[int, int]] = []
        self._locals: list[tuple[int, str]] = []
        self.imports: list[Import] = []
        self.module_doc = ""
        for _, captures in found:
            self._sort(captures)
        self._names = {definition.name.start_byte for definition in self._definitions.values()}
        self._spans.sort()
        self.symbols = list(self._symbols())

    def _sort(self, captures: Mapping[str, list[Node]]) -> None:
        for key, nodes in captures.items():
            head, _, kind = key.partition(".")
            if head == "reference":
                self._use(kind, nodes, captures)
            elif head == "definition":
                self._define(kind, nodes[0], captures)
            elif key == "import":
                self._import(nodes[0], captures)
            elif key == "local":
                self._locals += [(node.start_byte, self._text(node)) for node in nodes]
            elif key == "comment":
                self._comment(nodes[0])
            elif key == "decoration":
                self._skipped[nodes[0].end_point.row] = nodes[0].start_point.row
            elif key == "outer":
                self._outer.setdefault(nodes[0].end_byte, nodes[0])
            elif key == "scope":
                self._scopes.append((nodes[0].start_byte, nodes[0].end_byte, self._text(captures["scope.name"][0])))
            elif key == "doc":
                self._docs[nodes[0].start_byte] = nodes[0]
            elif key == "doc.module":
                self.module_doc = self._docstring(nodes[0])

    def _text(self, node: Node) -> str:
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    def _use(self, kind: str, nodes: Sequence[Node], captures: Mapping[str, list[Node]]) -> None:
        before = captures.get("qualifier")
        qualifier = " ".join(self._text(before[0]).split()) if before else ""
        if len(qualifier) > _MOST_QUALIFIER:
            qualifier = "…"
        for node in nodes:
            self._uses.append((node.start_byte, node.start_point.row + 1, self._text(node), kind, qualifier))

    def _define(self, kind: str, node: Node, captures: Mapping[str, list[Node]]) -> None:
        body = captures.get("body")
        receiver = captures.get("receiver")
        prefix = self._text(receiver[0]) if receiver else ""
        name = captures["name"][0]
        known = self._definitions.get((name.start_byte, name.end_byte))
        if known is None or (known.body is None and body):
            self._definitions[name.start_byte, name.end_byte] = _Definition(kind, node, name, body[0] if body else None, prefix)

    def _import(self, node: Node, captures: Mapping[str, list[Node]]) -> None:
        target, name, alias = (self._first(captures, f"import.{part}").strip("\"'`<>;") for part in ("target", "name", "alias"))
        self.imports.append(Import(node.start_point.row + 1, node.end_point.row + 1, target, name, alias or name))

    def _first(self, captures: Mapping[str, list[Node]], key: str) -> str:
        nodes = captures.get(key)
        return self._text(nodes[0]) if nodes else ""

    def _comment(self, node: Node) -> None:
        self._spans.append((node.start_byte, node.end_byte))
        start = self._data.rfind(b"\n", 0, node.start_byte) + 1
        if not self._data[start : node.start_byte].strip():
            end = node.end_point
            self._comments[end.row - (end.column == 0 and end.row > node.start_point.row)] = node

    def _symbols(self) -> Iterator[Symbol]:
        ordered = sorted(
            self._definitions.values(), key=lambda each: (each.node.start_byte, -each.node.end_byte, each.name.start_byte)
        )
        stack: list[tuple[int, int, str]] = []
        scopes = sorted(self._scopes)
        position = 0
        for number, definition in enumerate(ordered):
            start = definition.node.start_byte
            while position < len(scopes) and scopes[position][0] <= start:
                while stack and stack[-1][0] <= scopes[position][0]:
                    stack.pop()
                above = stack[-1] if stack else (0, -1, "")
                stack.append((scopes[position][1], above[1], _joined(above[2], scopes[position][2])))
                position += 1
            while stack and stack[-1][0] <= start:
                stack.pop()
            _, parent, prefix = stack[-1] if stack else (0, -1, "")
            qualified = _joined(prefix, _joined(definition.receiver, self._text(definition.name)))
            in_class = bool(stack) and (parent < 0 or stack[-1][1] != parent or ordered[parent].kind in _CLASSES)
            yield self._symbol(definition, qualified, parent, in_class)
            if definition.kind not in _LEAVES:
                stack.append((definition.node.end_byte, number, qualified))

    def _symbol(self, definition: _Definition, qualified: str, parent: int, in_class: bool) -> Symbol:
        node, body = self._outer_of(definition.node), definition.body
        name = re.split(r"::|[.#:]", self._text(definition.name))[-1].strip()
        text = mask(self._text(node), frozenset())[0]
        kind = (
            "method" if definition.kind == "function" and (in_class or "::" in self._text(definition.name)) else definition.kind
        )
        known = words_of(qualified)
        doc = mask(self._doc(definition, node), frozenset())[0][:_MOST_DOC]
        return Symbol(
            kind,
            name,
            qualified.replace("::", "."),
            parent,
            node.start_byte,
            node.end_byte,
            node.start_point.row + 1,
            _last_line(node),
            definition.name.start_point.row + 1,
            *self._body_lines(body),
            mask(self._signature(definition), frozenset())[0],
            doc,
            self._hash(node.start_byte, node.end_byte),
            distinct(words_of(text), known),
        )

    def _body_lines(self, body: Node | None) -> tuple[int, int]:
        """Return the first line of a body behind its docstring, and its last line; 0 and 0 when there is nothing."""
        if body is None:
            return 0, 0
        doc = self._docs.get(_first_statement(body))
        first, last = _last_line(doc) + 1 if doc else body.start_point.row + 1, _last_line(body)
        return (first, last) if first <= last else (0, 0)

    def _outer_of(self, node: Node) -> Node:
        outer = self._outer.get(node.end_byte)
        return outer if outer is not None and outer.start_byte <= node.start_byte else node

    def _signature(self, definition: _Definition) -> str:
        node, body = definition.node, definition.body
        end = body.start_byte if body else node.end_byte
        text = self._without_comments(node.start_byte, min(end, node.start_byte + 4 * _MOST_SIGNATURE)).decode("utf-8", "replace")
        if body is None:
            text = text.split("\n", 1)[0] if "(" not in text.split("\n", 1)[0] else text
        text = " ".join(text.split()).rstrip(" {:=")
        return text if len(text) <= _MOST_SIGNATURE else text[: _MOST_SIGNATURE - 1] + "…"

    def _doc(self, definition: _Definition, node: Node) -> str:
        if definition.body is not None:
            inner = self._docs.get(_first_statement(definition.body))
            if inner is not None:
                return self._docstring(inner)
        return _uncommented("\n".join(self._comments_above(node.start_point.row)))

    def _comments_above(self, row: int) -> list[str]:
        texts: list[str] = []
        while row > 0:
            row -= 1
            if row in self._skipped:
                row = self._skipped[row]
            elif (comment := self._comments.get(row)) is not None:
                texts.insert(0, self._text(comment))
                row = comment.start_point.row
            else:
                break
        return texts

    def _docstring(self, node: Node) -> str:
        text = self._text(node)
        try:
            value = ast.literal_eval("(" + text + ")")
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            return ""
        return inspect.cleandoc(value) if isinstance(value, str) else ""

    def _hash(self, start: int, end: int) -> str:
        return sha_of(_condensed(self._without_comments(start, end), self._indentation))

    def _without_comments(self, start: int, end: int) -> bytes:
        parts, done = [], start
        for first, last in self._spans_within(start, end):
            parts.append(self._data[done:first])
            done = max(done, last)
        return b"".join((*parts, self._data[done:end]))

    def _spans_within(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        for position in range(bisect_left(self._spans, (start, 0)), len(self._spans)):
            if self._spans[position][0] >= end:
                break
            yield self._spans[position]

    def references(self) -> list[Reference]:
        """Return the uses, those of one name within one symbol together; a local name is no use of anything else."""
        rows: dict[tuple[str, str, str, int], list[int]] = {}
        uses = {start: (line, name, kind, qualifier) for start, line, name, kind, qualifier in reversed(self._uses)}
        starts = sorted(uses.keys() - self._names)
        local = self._local_names()
        for start, symbol in zip(starts, self._enclosing(starts), strict=True):
            line, name, kind, qualifier = uses[start]
            if kind != "value" or qualifier or not self._is_local(local, name, symbol):
                rows.setdefault((name, kind, qualifier, symbol), []).append(line)
        return [Reference(*key, ",".join(map(str, dict.fromkeys(lines)))) for key, lines in rows.items()]

    def _enclosing(self, starts: Sequence[int]) -> Iterator[int]:
        """Yield for each of the sorted *starts* the position of the innermost symbol around it, -1 for none."""
        stack: list[int] = []
        position = 0
        for start in starts:
            while position < len(self.symbols) and self.symbols[position].start <= start:
                stack.append(position)
                position += 1
            while stack and self.symbols[stack[-1]].end <= start:
                stack.pop()
            yield stack[-1] if stack else -1

    def _local_names(self) -> set[tuple[int, str]]:
        ordered = sorted(self._locals)
        return {
            (symbol, name) for (_, name), symbol in zip(ordered, self._enclosing([start for start, _ in ordered]), strict=True)
        }

    def _is_local(self, local: set[tuple[int, str]], name: str, symbol: int) -> bool:
        while symbol >= 0:
            if (symbol, name) in local:
                return True
            symbol = self.symbols[symbol].parent
        return False


_LEAVES = frozenset({"variable", "constant", "attribute", "field"})
_CLASSES = frozenset({"class", "struct", "interface", "trait", "enum", "record", "union"})


def _joined(prefix: str, name: str) -> str:
    return f"{prefix}.{name}" if prefix and name else prefix or name


def _last_line(node: Node) -> int:
    end = node.end_point
    return end.row + (1 if end.column or end.row == node.start_point.row else 0)


def _first_statement(body: Node) -> int:
    for child in body.named_children:
        if child.type != "comment":
            return child.start_byte
    return -1


_SIGNS = re.compile(r"^\s*(?:/\*+!?|\*+/|///?!?|//|#+|\*(?!/)|--)[ \t]?|\s*\*+/\s*$", re.M)


def _uncommented(text: str) -> str:
    return inspect.cleandoc(_SIGNS.sub("", text)).strip() if text else ""


_BETWEEN = re.compile(rb"(?<=\w)\s+(?=\w)")
_AROUND = re.compile(rb"(?<!\w)\s+|\s+(?!\w)")


def _condensed(text: bytes, indentation: bool) -> bytes:
    """Return *text* without the white space that carries no meaning, which in some languages does at the start of a line."""
    if indentation:
        lines = [line for line in map(bytes.rstrip, text.split(b"\n")) if line]
        first = len(lines[1]) - len(lines[1].lstrip()) if len(lines) > 1 else 0
        return (
            b"\n".join([b" ".join(lines[0].split()), *(line[first:] if line[:first].isspace() else line for line in lines[1:])])
            if lines
            else b""
        )
    return _AROUND.sub(b"", _BETWEEN.sub(b" ", text))
