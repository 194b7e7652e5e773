"""Which files of a working tree an import means.

Every rule here is a rule about paths: nothing is run, and no search path is asked. An import that means no file of the
working tree is external.
"""

from __future__ import annotations

import os
import posixpath
import re
from typing import TYPE_CHECKING

from token_saver_navigator.languages import BY_NAME

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

_BETWEEN = re.compile(r"::|[./\\:]+")
_WHOLE_FOLDER = frozenset({"__init__", "index", "mod", "lib"})
_HERE = frozenset({"crate", "self", "super", "", "~", "@", "#"})
_MODULE = re.compile(r"^module\s+(\S+)", re.M)


class Modules:
    """The files of an index by the ways in which they can be imported."""

    def __init__(self, root: str, db: sqlite3.Connection) -> None:
        self._root = root
        self.paths: dict[int, str] = {}
        self.kin: dict[int, str] = {}
        self.language: dict[int, str] = {}
        self._by_last: dict[tuple[str, str], list[tuple[tuple[str, ...], int]]] = {}
        self._by_folder: dict[tuple[str, str], list[int]] = {}
        self._by_path: dict[str, int] = {}
        for file, path, language in db.execute("SELECT id, path, language FROM file"):
            self._add(file, path, language)
        self._go = self._go_module()

    def _add(self, file: int, path: str, language: str) -> None:
        kin = BY_NAME[language].kin
        self.paths[file], self.kin[file], self.language[file] = path, kin, language
        self._by_path[path] = file
        self._by_folder.setdefault((kin, posixpath.dirname(path)), []).append(file)
        parts = _parts(path)
        if parts:
            self._by_last.setdefault((kin, parts[-1]), []).append((parts, file))

    def _go_module(self) -> str:
        try:
            with open(os.path.join(self._root, "go.mod"), encoding="utf-8", errors="replace") as file:
                found = _MODULE.search(file.read(1 << 16))
        except OSError:
            return ""
        return found[1] if found else ""

    def neighbours(self, file: int) -> list[int]:
        """Return the files of the same folder, which in some languages is what sees each other without an import."""
        return self._by_folder[self.kin[file], posixpath.dirname(self.paths[file])]

    def resolve(self, importer: int, target: str, name: str = "") -> list[int]:
        """Return the files that *target* (and *name* in it, which may be a module itself) can mean; none when it is external."""
        kin, path = self.kin[importer], self.paths[importer]
        if kin == "python":
            return self._python(path, target, name)
        if kin == "web":
            return self._web(path, target)
        if kin == "go":
            return self._folder("go", target.removeprefix(self._go).strip("/")) if self._is_ours(target) else []
        if target.startswith(".") or kin in ("c", "ruby", "shell"):
            near = self._suffix(kin, _parts(posixpath.normpath(posixpath.join(posixpath.dirname(path), target))), whole=True)
            if near:
                return near
        parts = tuple(part for part in _BETWEEN.split(_stem(target, kin)) if part not in _HERE)
        return self._suffix(kin, parts) or self._suffix(kin, parts[-1:] if kin == "php" else parts[:-1])

    def _is_ours(self, target: str) -> bool:
        return bool(self._go) and (target == self._go or target.startswith(self._go + "/"))

    def _folder(self, kin: str, folder: str) -> list[int]:
        return self._by_folder.get((kin, folder), [])

    def _python(self, path: str, target: str, name: str) -> list[int]:
        dots = len(target) - len(target.lstrip("."))
        parts = tuple(part for part in target.split(".") if part)
        if dots:
            folder = posixpath.dirname(path)
            for _ in range(dots - 1):
                folder = posixpath.dirname(folder)
            base = (*(part for part in folder.split("/") if part), *parts)
            return self._whole("python", (*base, name)) or self._whole("python", base)
        return self._absolute((*parts, name)) or self._absolute(parts)

    def _whole(self, kin: str, parts: tuple[str, ...]) -> list[int]:
        """Return the file with exactly these parts; that of the top folder itself has none."""
        if not parts:
            return [self._by_path[name] for name in ("__init__.py",) if name in self._by_path]
        return self._suffix(kin, parts, whole=True)

    def _absolute(self, parts: tuple[str, ...]) -> list[int]:
        """Return the modules of that full name: what is above them is no package, unless the working tree is inside of it."""
        if not parts or not parts[-1]:
            return []
        found = [file for file in self._suffix("python", parts) if not self._in_package(file, len(parts))]
        top = os.path.basename(self._root)
        if not found and parts[0] == top:
            return self._whole("python", parts[1:])
        return found

    def _in_package(self, file: int, length: int) -> bool:
        above = "/".join(_parts(self.paths[file])[:-length])
        return bool(above) and f"{above}/__init__.py" in self._by_path

    def _web(self, path: str, target: str) -> list[int]:
        if target.startswith("."):
            joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            return self._suffix("web", _parts(joined), whole=True) or self._suffix("web", _parts(joined + ".x"), whole=True)
        if target.startswith(("@/", "~/", "src/", "#")):
            return self._suffix("web", tuple(part for part in _BETWEEN.split(target) if part not in _HERE))
        return []

    def _suffix(self, kin: str, parts: tuple[str, ...], *, whole: bool = False) -> list[int]:
        if not parts:
            return []
        candidates = self._by_last.get((kin, parts[-1]), ())
        if whole:
            return [file for known, file in candidates if known == parts]
        return [file for known, file in candidates if known[-len(parts) :] == parts]


def _stem(target: str, kin: str) -> str:
    return os.path.splitext(target)[0] if kin in ("c", "shell") or target.endswith((".rb", ".php")) else target


def _parts(path: str) -> tuple[str, ...]:
    parts = [part for part in os.path.splitext(path)[0].split("/") if part]
    if parts and parts[-1] in _WHOLE_FOLDER:
        parts.pop()
    return tuple(parts)


def unique(files: Iterable[int]) -> list[int]:
    """Return *files* without repetition, in order."""
    return list(dict.fromkeys(files))
