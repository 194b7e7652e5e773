"""One working tree: where it begins, which files are its own, and which paths lead out of it."""

from __future__ import annotations

import os
import stat
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 100_000
_GIT_SECONDS = 60
_FOREIGN_FOLDERS = frozenset({"node_modules", "__pycache__", "venv", "site-packages"})
_TESTS = frozenset({"test", "tests", "spec", "specs", "__tests__", "testing"})


class Stamp(NamedTuple):
    """What tells that a file is as it was, without reading it."""

    size: int
    mtime: int
    ctime: int
    inode: int


class Listing(NamedTuple):
    """The files of a working tree by path, and what was left out: links, foreign trees, files past the limit."""

    files: dict[str, Stamp]
    links: int = 0
    foreign: int = 0
    beyond: int = 0


def root_of(folder: str) -> str:
    """Return the top of the working tree that *folder* is in, *folder* itself when there is none."""
    here = os.path.realpath(folder)
    if not os.path.isdir(here):
        raise InputError(f"{folder} is not a folder")
    above = here
    while True:
        if os.path.lexists(os.path.join(above, ".git")):
            return above
        parent = os.path.dirname(above)
        if parent == above:
            return here
        above = parent


def inside(root: str, path: str, base: str = "") -> str:
    """Return *path*, given from *base* (default: *root*), as it is named from *root*.

    Raises InputError when it leads out of the working tree, by dots, as an absolute path or through a link, or is no file.
    """
    if not path or "\0" in path:
        raise InputError("a path inside the project is needed, for example src/app.py")
    full = os.path.realpath(os.path.join(base or root, path))
    if full != root and not full.startswith(root.rstrip(os.sep) + os.sep):
        raise InputError(f"{path} leads out of the project {os.path.basename(root)}; only files in it can be asked for")
    try:
        found = os.stat(full)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    if not stat.S_ISREG(found.st_mode):
        raise InputError(f"{path} is not a file")
    return os.path.relpath(full, root).replace(os.sep, "/")


def is_test(path: str) -> bool:
    """Tell by its name whether a file holds tests."""
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    return (
        not _TESTS.isdisjoint(folders)
        or stem.startswith("test_")
        or stem.endswith(("_test", "_spec", "tests"))
        or ".test." in name
        or ".spec." in name
        or os.path.basename(path).partition(".")[0].endswith("Test")
    )


def listing(root: str) -> Listing:
    """Return the files of the working tree at *root*: what git tracks or would, else what stands in its folders."""
    names = _git_files(root)
    return _stamped(root, _walk(root) if names is None else names)


def _git_files(root: str) -> Iterator[str] | None:
    if not os.path.lexists(os.path.join(root, ".git")):
        return None
    output = git(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return None if output is None else iter(output.split("\0"))


def git(root: str, *words: str) -> str | None:
    """Return what a git command that only reads prints, None when it fails. No program that a repository names is run."""
    safe = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "diff.external=", "-c", "core.quotePath=false")
    try:
        done = subprocess.run(
            ("git", *safe, "-C", root, *words), capture_output=True, timeout=_GIT_SECONDS, stdin=subprocess.DEVNULL, check=False,
            env={**os.environ, "GIT_OPTIONAL_LOCKS": "0"},
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def _stamped(root: str, names: Iterator[str]) -> Listing:
    files: dict[str, Stamp] = {}
    links = foreign = beyond = 0
    for name in names:
        if not name or name in files:
            continue
        try:
            found = os.lstat(f"{root}/{name}")
        except OSError:
            continue
        if stat.S_ISLNK(found.st_mode):
            links += 1
        elif stat.S_ISDIR(found.st_mode):
            foreign += 1
        elif len(files) >= MOST_FILES:
            beyond += 1
        elif stat.S_ISREG(found.st_mode):
            files[name] = Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)
    return Listing(files, links, foreign, beyond)


def _walk(root: str) -> Iterator[str]:
    """Yield files below *root*, and folders that are somebody else's: hidden ones, installed packages, other repositories."""
    for folder, folders, names in os.walk(root):
        inner = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if inner == "." else inner + "/"
        own = []
        for name in sorted(folders):
            path = os.path.join(folder, name)
            if name.startswith(".") or name in _FOREIGN_FOLDERS:
                continue
            if os.path.islink(path) or os.path.lexists(os.path.join(path, ".git")):
                yield prefix + name
            else:
                own.append(name)
        folders[:] = own
        yield from (prefix + name for name in sorted(names))


def read_file(root: str, path: str, most: int) -> bytes | None:
    """Return at most *most* bytes of a file of the working tree, None when it cannot be read or is a link."""
    try:
        descriptor = os.open(os.path.join(root, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
        with open(descriptor, "rb") as file:
            return file.read(most)
    except OSError:
        return None
