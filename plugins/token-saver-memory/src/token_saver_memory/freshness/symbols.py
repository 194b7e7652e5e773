"""The symbols of a source file, each with a hash of its tokens: comments, spacing and its own name do not count."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".hpp": "cpp",
    ".cs": "c_sharp",
    ".rb": "ruby",
    ".php": "php",
    ".sh": "bash",
    ".bash": "bash",
    ".kt": "kotlin",
    ".swift": "swift",
    ".scala": "scala",
    ".lua": "lua",
}
MOST_BYTES = 2_000_000


class Symbol(NamedTuple):
    """A definition: its name within the file (``Reader.parse``), its first and last line from 1, the hash of its tokens."""

    name: str
    first: int
    last: int
    digest: str


def language_of(path: str) -> str:
    """Return the language of a file by the ending of its name, "" when it is none that we know."""
    return LANGUAGES.get(os.path.splitext(path)[1].lower(), "")


def symbols_of(source: bytes, path: str) -> list[Symbol] | None:
    """Return the definitions in *source*; None when there is no parser for it or it does not parse."""
    language = language_of(path)
    if not language or len(source) > MOST_BYTES:
        return None
    if language == "python":
        from token_saver_memory.freshness.python_source import symbols
    else:
        from token_saver_memory.freshness.tree_source import symbols_in

        return symbols_in(source, language)
    return symbols(source)


def named(found: Iterable[Symbol], name: str) -> list[Symbol]:
    """Return the symbols that *name* means: of exactly that name, else those that end with it."""
    listed = list(found)
    tail = "." + name.replace("::", ".").replace("#", ".")
    return [symbol for symbol in listed if symbol.name == tail[1:]] or [symbol for symbol in listed if symbol.name.endswith(tail)]


def digest_of(tokens: Iterable[str], name: str) -> str:
    """Return the hash of *tokens*, in which the simple *name* of the symbol itself stands for any name."""
    return sha256("\0".join("_" if token == name else token for token in tokens).encode("utf-8", "surrogatepass")).hexdigest()[
        :32
    ]
