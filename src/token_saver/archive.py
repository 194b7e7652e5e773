"""Code and regular expressions of the hot modules in one file, ready to run.

To find a module among folders and files, one by one, costs more than to run it, and to compile its regular expressions
costs more still. An archive holds the code of modules, as their ``.pyc`` files do, and the tables of compiled patterns of
``token_saver.text.rx``. Each module is read when it is imported, and only while its source file is as it was.

Layout: eight digits with the length of the header; the header, which is a digest and a marshalled tuple of the cache tag,
the magic numbers of code and of patterns, the modules that are always needed, in the order in which they can be run, the
offset and length of the tuple of their code, ``{module: (offset, length, path, mtime in ns, is package)}``, and
``{module: (offset, length)}`` for its patterns; then the marshalled parts, at offsets that count from the end of the header.
"""

from __future__ import annotations

import _sre  # type: ignore[import-not-found]
import marshal
import posix
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import MAGIC_NUMBER

from token_saver.snapshot import sealed, verified

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import CodeType, ModuleType

    Module = tuple[str, str, bool, CodeType]
    """Name, path of the source, whether it is a package, code."""

_DIGITS = 8


class Archive:
    """An open archive: a finder and loader of modules (PEP 451), and a table of patterns."""

    __slots__ = ("_code", "_descriptor", "_first", "_patterns", "_start", "_together", "is_whole")

    def __init__(self, descriptor: int) -> None:
        """Read the header; raises ValueError, EOFError or TypeError when the file is not for this interpreter."""
        length = int(posix.read(descriptor, _DIGITS))
        *made_for, self._first, self._together, self._code, self._patterns = marshal.loads(
            verified(posix.read(descriptor, length))
        )
        if tuple(made_for) != _interpreter():
            raise ValueError("made for another interpreter")
        self._descriptor = descriptor
        self._start = _DIGITS + length
        self.is_whole = True

    def preload(self) -> None:
        """Run the modules that are always needed, without what the import system does for each of them."""
        first = {name: self._code[name] for name in self._first if name not in sys.modules}
        if any(_mtime(path) != mtime for _, _, path, mtime, _ in first.values()):
            self.is_whole = False
            return
        codes = dict(zip(self._first, marshal.loads(self._part(*self._together)), strict=True))
        # A package is run after the modules that it imports, and they need it to be there.
        for name, (_, _, path, _, is_package) in first.items():
            module = sys.modules[name] = type(sys)(name)
            module.__file__ = path
            if is_package:
                module.__path__ = [path.rpartition("/")[0]]
        for name in first:
            parent, _, child = name.rpartition(".")
            setattr(sys.modules[parent], child, sys.modules[name])
            exec(codes[name], sys.modules[name].__dict__)

    def get(self, module: str) -> bytes | None:
        """Return the table of the patterns of *module*; None when it has none."""
        found = self._patterns.get(module)
        return None if found is None else self._part(*found)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to load a module; None when it is not here, or not any more as it was packed."""
        found = self._code.get(name)
        if found is None:
            return None
        _, _, source, mtime, is_package = found
        if _mtime(source) != mtime:
            self.is_whole = False
            return None
        spec = ModuleSpec(name, self, origin=source, is_package=is_package)  # type: ignore[arg-type]
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [source.rpartition("/")[0]]
        return spec

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to the import system."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code of a module."""
        offset, length, *_ = self._code[module.__name__]
        exec(marshal.loads(self._part(offset, length)), module.__dict__)

    def _part(self, offset: int, length: int) -> bytes:
        return posix.pread(self._descriptor, length, self._start + offset)


def packed(modules: Sequence[Module], first: Sequence[str], patterns: Mapping[str, bytes]) -> bytes:
    """Return the content of an archive; *first* are the modules that ``preload`` runs, in that order."""
    parts: list[bytes] = []
    size = 0

    def add(part: bytes) -> tuple[int, int]:
        nonlocal size
        parts.append(part)
        size += len(part)
        return size - len(part), len(part)

    code = {name: (*add(marshal.dumps(code)), path, _mtime(path), is_package) for name, path, is_package, code in modules}
    by_name = {name: code for name, _, _, code in modules}
    together = add(marshal.dumps(tuple(by_name[name] for name in first)))
    tables = {name: add(rows) for name, rows in patterns.items()}
    header = sealed(marshal.dumps((*_interpreter(), list(first), together, code, tables)))
    return b"".join([f"{len(header):0{_DIGITS}}".encode(), header, *parts])


def _interpreter() -> tuple[str | None, bytes, int]:
    return (sys.implementation.cache_tag, MAGIC_NUMBER, _sre.MAGIC)


def _mtime(path: str) -> int:
    try:
        return posix.stat(path).st_mtime_ns
    except OSError:
        return 0
