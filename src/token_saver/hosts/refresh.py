"""A new snapshot where the one that was written is stale or missing.

Making one takes some hundred milliseconds, so of many processes that miss it one makes it and the others wait. A hook, which
holds up a whole command, lets a process of its own make it and does not wait long.
"""

from __future__ import annotations

import posix
import sys
from time import monotonic, sleep, time

from token_saver import snapshot
from token_saver.errors import SnapshotError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import NoReturn

_LOCK = "building"
_PATIENCE = 10.0
_PATIENCE_OF_A_HOOK = 0.6
_PAUSE = 0.05


def start() -> NoReturn:
    """Be the process that compiles a snapshot, unless another one does already."""
    place = snapshot.folder(posix.environ)
    lock = f"{place}/{_LOCK}"
    if _taken(place, lock):
        try:
            _compiled(place, posix.environ, bool(sys.flags.no_site))
        finally:
            posix.unlink(lock)
    posix._exit(0)


def soon(environ: Mapping[bytes, bytes], entry: str) -> snapshot.Snapshot:
    """Let the process that *entry* starts compile the snapshot, and return it when it is there in a moment.

    Raises SnapshotError when it is not: what was to be decided is for the host to decide, and the next command finds it.
    """
    place = snapshot.folder(environ)
    lock = f"{place}/{_LOCK}"
    snapshot.make_folder(place)
    if not posix.access(place, posix.W_OK):
        raise SnapshotError("the folder of the snapshot cannot be written")
    if snapshot.stamp(lock) / 1e9 < time() - _PATIENCE:
        _spawned([sys.executable, "-I", "-S", entry, "refresh"])
    end = monotonic() + _PATIENCE_OF_A_HOOK
    while monotonic() < end:
        sleep(_PAUSE)
        found = snapshot.read(place)
        if found is not None and found.is_fresh(environ):
            return found
    raise SnapshotError("the snapshot is being made")


def _spawned(argv: list[str]) -> None:
    """Start a process that outlives us and holds nothing of ours."""
    null = [(posix.POSIX_SPAWN_OPEN, number, "/dev/null", posix.O_RDWR, 0) for number in (0, 1, 2)]
    posix.posix_spawn(argv[0], argv, posix.environ, file_actions=null, setpgroup=0)


def made_anew(environ: Mapping[bytes, bytes], *, isolated: bool) -> snapshot.Snapshot:
    """Compile the snapshot, or wait for the process that does; it is written where its folder can be.

    *isolated* says that the interpreter runs without its site packages, which are needed now.
    """
    place = snapshot.folder(environ)
    lock = f"{place}/{_LOCK}"
    ours = _taken(place, lock)
    try:
        found = None if ours else _awaited(place, lock, environ)
        return found or _compiled(place, environ, isolated)
    finally:
        if ours:
            posix.unlink(lock)


def _taken(place: str, lock: str) -> bool:
    """Take the lock; one that is older than anybody's patience belongs to nobody."""
    try:
        snapshot.make_folder(place)
        if 0 < snapshot.stamp(lock) / 1e9 < time() - _PATIENCE:
            posix.unlink(lock)
        posix.close(posix.open(lock, posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL, 0o600))
    except OSError:
        return False
    return True


def _awaited(place: str, lock: str, environ: Mapping[bytes, bytes]) -> snapshot.Snapshot | None:
    """Return what the holder of the lock wrote; None when it wrote nothing in time, or when there is no holder."""
    end = monotonic() + _PATIENCE
    while snapshot.stamp(lock) and monotonic() < end:
        sleep(_PAUSE)
    found = snapshot.read(place)
    return found if found is not None and found.is_fresh(environ) else None


def _compiled(place: str, environ: Mapping[bytes, bytes], isolated: bool) -> snapshot.Snapshot:
    if isolated:
        import site

        site.main()
    from token_saver.plugins import compile_snapshot

    made, archive = compile_snapshot(environ)
    try:
        snapshot.write(place, made.content, archive)
    except SnapshotError:
        pass
    return made
