"""Which project a folder belongs to: the one resolver of every command, hook and tool.

The identity is the real path of git's common folder, so that all worktrees and sub-folders of a repository are one project
and a submodule is its own. It is read as git reads it (gitrepository-layout(5): ``.git`` file, ``commondir``), without
starting git, because hooks have no time. Without git it is the nearest folder with a settings file of the project, else the
folder itself; the home folder, ``/`` and folders for temporary files are nobody's project.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator


class Place(NamedTuple):
    """What a folder resolves to: see ``values.Scope``."""

    identity: str
    kind: str
    label: str
    top: str


def resolve(cwd: str) -> Place | None:
    """Return the project of the folder *cwd*; None when it is nobody's or does not exist."""
    if not cwd or not os.path.isdir(cwd):
        return None
    folder = os.path.realpath(cwd)
    for candidate in _upwards(folder):
        common = _common_folder(candidate)
        if common:
            bare = common == candidate
            return None if candidate in _nobodys() else Place(common, "git", _label(common, bare), candidate)
    from token_saver.settings import PROJECT_FILE

    home = next((at for at in _upwards(folder) if os.path.isfile(os.path.join(at, PROJECT_FILE))), folder)
    home = folder if home in _nobodys() else home
    return None if home in _nobodys() else Place(home, "dir", os.path.basename(home), home)


def _common_folder(folder: str) -> str | None:
    """Return the common folder of the repository whose top, or bare repository, *folder* is."""
    entry = os.path.join(folder, ".git")
    if os.path.isdir(entry):
        return _common(entry) if _is_repository(entry) else None
    if os.path.isfile(entry):
        target = _first_line(entry).removeprefix("gitdir:").strip()
        return _common(os.path.normpath(os.path.join(folder, target))) if target else None
    return _common(folder) if _is_repository(folder) else None


def _common(git_folder: str) -> str | None:
    if not os.path.isdir(git_folder):
        return None
    target = _first_line(os.path.join(git_folder, "commondir"))
    return os.path.realpath(os.path.join(git_folder, target) if target else git_folder)


def _is_repository(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, "HEAD")) and all(
        os.path.isdir(os.path.join(folder, name)) for name in ("objects", "refs")
    )


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _label(common: str, bare: bool) -> str:
    name = os.path.basename(common) if bare or os.path.basename(common) != ".git" else os.path.basename(os.path.dirname(common))
    return name.removesuffix(".git") or name


def _upwards(folder: str) -> Iterator[str]:
    yield folder
    while (parent := os.path.dirname(folder)) != folder:
        yield parent
        folder = parent


def _nobodys() -> frozenset[str]:
    named = filter(None, map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    folders = (os.path.expanduser("~"), os.sep, "/tmp", "/var/tmp", "/usr/tmp", "/private/tmp", *named)
    return frozenset(map(os.path.realpath, folders))


def relative(path: str, top: str) -> str:
    """Return *path* relative to *top* with ``/`` between its parts; "" when it leads out of it."""
    if not path:
        return ""
    full = os.path.normpath(os.path.join(top, path))
    real = os.path.join(os.path.realpath(os.path.dirname(full)), os.path.basename(full))
    for candidate in (full, real):
        found = os.path.relpath(candidate, top)
        if found != os.pardir and not found.startswith(os.pardir + os.sep):
            return found.replace(os.sep, "/")
    return ""
