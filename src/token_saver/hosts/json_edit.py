"""Changes in a JSON file of somebody else: what is not changed stays as it is, to the byte.

The text is read with the places of everything in it. Comments and trailing commas are understood and kept; every result is
read again before it is used. Not on the hot path.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from token_saver.errors import InputError

_SPACE = " \t\r\n\ufeff"
_DEEPEST = 200


class Node(NamedTuple):
    """One value: its place, and what is in it. ``children`` pairs a key, or a position, with a node and where its key starts."""

    start: int
    end: int
    value: Any
    children: tuple[tuple[str | int, int, Node], ...] = ()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def document(self) -> Node:
        node = self.node(0)
        self.skip()
        if self.at < len(self.text):
            self.fail("more than one value")
        return node

    def node(self, depth: int) -> Node:
        self.skip()
        sign = self.text[self.at : self.at + 1]
        if depth > _DEEPEST:
            self.fail("too deep")
        if sign in ("{", "["):
            return self.container(sign, depth)
        start = self.at
        value = self.scalar()
        return Node(start, self.at, value)

    def scalar(self) -> Any:
        try:
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            self.at = error.pos
            self.fail(error.msg)
        return value

    def container(self, opening: str, depth: int) -> Node:
        start = self.at
        closing = "}" if opening == "{" else "]"
        self.at += 1
        children: list[tuple[str | int, int, Node]] = []
        self.skip()
        while not self.text.startswith(closing, self.at):
            if children and not self.take(","):
                self.fail(f"',' or '{closing}' is missing")
            self.skip()
            if children and self.text.startswith(closing, self.at):
                break
            children.append(self.child(opening, len(children), depth))
            self.skip()
        self.at += 1
        values: Any = {key: node.value for key, _, node in children} if opening == "{" else [node.value for *_, node in children]
        if opening == "{" and len(values) != len(children):
            self.fail("a key stands twice in one object")
        return Node(start, self.at, values, tuple(children))

    def child(self, opening: str, position: int, depth: int) -> tuple[str | int, int, Node]:
        begin = self.at
        if opening == "[":
            return position, begin, self.node(depth + 1)
        key = self.scalar() if self.text.startswith('"', self.at) else self.fail("a key in quotes is missing")
        self.skip()
        if not self.take(":"):
            self.fail("':' is missing")
        return key, begin, self.node(depth + 1)

    def take(self, sign: str) -> bool:
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def skip(self) -> None:
        """Pass over blanks and comments."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in _SPACE:
                self.at += 1
            elif text.startswith("//", self.at):
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            elif text.startswith("/*", self.at) and text.find("*/", self.at + 2) >= 0:
                self.at = text.index("*/", self.at + 2) + 2
            else:
                return

    def fail(self, what: str) -> Any:
        line = self.text.count("\n", 0, self.at) + 1
        raise InputError(f"line {line}: {what}")


def read(text: str) -> Node:
    """Return what *text* holds, with places; raises InputError with the line where it cannot be read."""
    return _Reader(text).document()


def find(node: Node, path: tuple[str | int, ...]) -> Node | None:
    """Return the value at *path* below *node*, None when there is none."""
    for step in path:
        found = next((child for key, _, child in node.children if key == step and type(key) is type(step)), None)
        if found is None:
            return None
        node = found
    return node


def add(text: str, path: tuple[str, ...], value: Any, *, item: bool = False) -> str:
    """Return *text* with *value* as the member at *path*, or as a further *item* of the list there.

    Objects and lists on the way are made where they are missing. Raises InputError where something else stands in their place.
    """
    root = read(text)
    depth = len(path)
    while depth and find(root, path[:depth]) is None:
        depth -= 1
    parent = find(root, path[:depth]) or root
    rest = path[depth:]
    for key in reversed(rest[1:]):
        value, item = {key: [value] if item else value}, False
    if rest:
        return _checked(_inserted(text, root, parent, rest[0], [value] if item else value))
    return _checked(_inserted(text, root, parent, None, value))


def remove(text: str, path: tuple[str | int, ...]) -> str:
    """Return *text* without the member or item at *path*, which is there."""
    root = read(text)
    parent = find(root, path[:-1])
    position = next(at for at, (key, _, _) in enumerate(parent.children) if key == path[-1]) if parent else 0
    assert parent is not None
    children = parent.children
    if position:
        cut = children[position - 1][2].end, children[position][2].end
    elif len(children) > 1:
        cut = children[0][1], children[1][1]
    else:
        cut = parent.start + 1, parent.end - 1
    return _checked(text[: cut[0]] + text[cut[1] :])


def _inserted(text: str, root: Node, parent: Node, key: str | None, value: Any) -> str:
    wanted, name = (dict, "an object") if key is not None else (list, "a list")
    if not isinstance(parent.value, wanted):
        raise InputError(f"{json.dumps(parent.value)[:40]} stands where {name} is expected")
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = _unit(text, root)
    inner, outer = _margins(text, parent, unit)
    breaks = "\n" in text[parent.start : parent.end] or not parent.children
    made = _rendered(key, value, unit, inner, newline) if breaks else _rendered(key, value, "", "", "")
    if parent.children:
        at = parent.children[-1][2].end
        return text[:at] + "," + (newline + inner if breaks else " ") + made + text[at:]
    at = parent.start + 1
    empty = not text[at : parent.end - 1].strip(_SPACE)
    return text[:at] + newline + inner + made + (newline + outer + text[parent.end - 1 :] if empty else text[at:])


def _rendered(key: str | None, value: Any, unit: str, margin: str, newline: str) -> str:
    if not newline:
        shown = json.dumps(value, ensure_ascii=False)
    else:
        shown = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + margin)
    return shown if key is None else f"{json.dumps(key, ensure_ascii=False)}: {shown}"


def _margins(text: str, parent: Node, unit: str) -> tuple[str, str]:
    """Return the blanks before what stands in *parent*, and before the bracket that ends it."""
    outer = _margin(text, parent.start)
    if parent.children:
        begin = parent.children[-1][1]
        line = text.rfind("\n", 0, begin) + 1
        if line > parent.start and not text[line:begin].strip():
            return text[line:begin], outer
    return outer + unit, outer


def _margin(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str, root: Node) -> str:
    if root.children:
        begin = root.children[0][1]
        line = text[text.rfind("\n", 0, begin) + 1 : begin]
        if "\n" in text[:begin] and line and not line.strip():
            return line
    return "  "


def _checked(text: str) -> str:
    read(text)
    return text
