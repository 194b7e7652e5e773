"""Regular expressions that cost nothing until they match.

``rx(pattern)`` returns an object with the methods of ``re.Pattern``. The pattern is compiled at its first use: from the
table of compiled patterns that the registry snapshot carries, which needs no ``import re``, or by ``re`` when there is
no table or it does not fit this interpreter. Flags are written inline: ``(?m)``, ``(?i)``, ``(?x)``.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Table(Protocol):
        """Module name → marshalled ``{pattern: row}``, as ``compile_table`` makes it."""

        def get(self, module: str, /) -> bytes | None:
            """Return the rows of *module*; None when there are none."""


_METHODS = ("match", "search", "fullmatch", "finditer", "findall", "sub", "subn", "split")
_known: list[Rx] = []
_table: Table = {}
_modules: dict[str, dict[str, tuple[Any, ...]]] = {}


class Rx:
    """A pattern that compiles itself when one of its methods is first asked for."""

    __slots__ = ("home", "pattern", *_METHODS)

    if TYPE_CHECKING:
        home: str
        match: Callable[..., re.Match[str] | None]
        search: Callable[..., re.Match[str] | None]
        fullmatch: Callable[..., re.Match[str] | None]
        finditer: Callable[..., Iterator[re.Match[str]]]
        findall: Callable[..., list[Any]]
        sub: Callable[..., str]
        subn: Callable[..., tuple[str, int]]
        split: Callable[..., list[Any]]

    def __init__(self, pattern: str, home: str) -> None:
        self.pattern = pattern
        self.home = home

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = _compile(self.home, self.pattern)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)

    def __repr__(self) -> str:
        return f"rx({self.pattern!r})"


def rx(pattern: str, depth: int = 1) -> Rx:
    """Return a lazily compiled pattern; *depth* names the caller whose module the pattern belongs to."""
    made = Rx(pattern, str(sys._getframe(depth).f_globals.get("__name__", "")))
    _known.append(made)
    return made


def use_table(table: Table) -> None:
    """Serve patterns from *table* from now on."""
    global _table
    _table = table
    _modules.clear()


def compile_table() -> dict[str, bytes]:
    """Compile every pattern made so far into a table for ``use_table``, by module (off the hot path)."""
    import marshal

    rows: dict[str, dict[str, tuple[Any, ...]]] = {}
    for made in _known:
        rows.setdefault(made.home, {})[made.pattern] = _row(made.pattern)
    return {home: marshal.dumps(rows[home]) for home in sorted(rows)}


def _compile(home: str, pattern: str) -> re.Pattern[str]:
    row = _rows(home).get(pattern)
    if row is not None:
        try:
            import _sre  # type: ignore[import-not-found]

            return _sre.compile(*row)  # type: ignore[no-any-return]
        except (ImportError, RuntimeError, TypeError, ValueError, OverflowError):
            pass
    import re

    return re.compile(pattern)


def _rows(home: str) -> dict[str, tuple[Any, ...]]:
    if home not in _modules:
        packed = _table.get(home)
        rows: dict[str, tuple[Any, ...]] = {}
        if packed is not None:
            import marshal

            try:
                rows = marshal.loads(packed)
            except (ValueError, EOFError, TypeError):
                rows = {}
        _modules[home] = rows
    return _modules[home]


def _row(pattern: str) -> tuple[Any, ...]:
    """Return the arguments with which ``_sre.compile`` builds *pattern* (CPython's ``re._compiler.compile``)."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(pattern, 0)
    code = [int(word) for word in _compiler._code(parsed, 0)]
    groupindex = dict(parsed.state.groupdict)
    indexgroup: list[str | None] = [None] * parsed.state.groups
    for name, index in groupindex.items():
        indexgroup[index] = name
    return (pattern, int(parsed.state.flags), code, parsed.state.groups - 1, groupindex, tuple(indexgroup))
