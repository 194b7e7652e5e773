"""Puts things into the files of hosts and takes out exactly what it put in.

Each changed file has a record in the user's data folder: the bytes as they were, which is also the backup, what was added,
and the fingerprint of what was written. A file that nobody touched since gets its bytes back; from one that was changed
only what we added is taken. Files are replaced in one step, under a lock, and a link stays a link. Not on the hot path.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any, NamedTuple

from token_saver.errors import InputError
from token_saver.hosts import json_edit

SHARED = "*"
"""Stands for the host of a file that all hosts use: a launcher."""


class Entry(NamedTuple):
    """What is to stand in a JSON file: a member at *path*, or with *item* a further item of the list there."""

    path: tuple[str, ...]
    value: Any
    item: bool = False


class Target(NamedTuple):
    """One file of a host: with *entries* it is the host's and is added to; with *text* it is all ours."""

    host: str
    path: str
    entries: tuple[Entry, ...] = ()
    text: str = ""
    executable: bool = False


class Change(NamedTuple):
    """A file as it is and as it is to be; None where there is no file."""

    target: Target
    before: bytes | None
    after: bytes | None
    removes: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether anything is different."""
        return self.before != self.after


def data_folder() -> pathlib.Path:
    """Return where records, backups and launchers are kept."""
    import platformdirs

    return pathlib.Path(platformdirs.user_data_path("token-saver"))


def planned(targets: list[Target]) -> list[Change]:
    """Return what installing changes; raises InputError when a file cannot be read as what it should be, naming it."""
    paths = {target.path for target in targets}
    hosts = {target.host for target in targets} - {SHARED}
    left = [record for record in records() if record["host"] in hosts and record["path"] not in paths]
    return [*map(_removal, left), *map(_change, targets)]


def planned_removal(hosts: list[str]) -> list[Change]:
    """Return what uninstalling changes; what the hosts share goes with the last of them."""
    found = records()
    last = {record["host"] for record in found} - {SHARED} <= set(hosts)
    return [_removal(record) for record in found if record["host"] in hosts or (last and record["host"] == SHARED)]


def _change(target: Target) -> Change:
    before = _bytes(target.path)
    record = _record_of(target.path)
    base = before
    if record is not None and record["entries"] != _plain_entries(target):
        base = _restored(record, before)
    return Change(target, before, _with_entries(target, base))


def _removal(record: dict[str, Any]) -> Change:
    before = _bytes(record["path"])
    return Change(Target(record["host"], record["path"]), before, _restored(record, before), removes=True)


def _plain_entries(target: Target) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = json.loads(json.dumps([entry._asdict() for entry in target.entries]))
    return made


def _record_of(path: str) -> dict[str, Any] | None:
    return next((record for record in records() if record["path"] == path), None)


def apply(changes: list[Change]) -> None:
    """Write all changes and keep the records; nothing is written when a file changed in the meantime."""
    with _lock():
        for change in changes:
            if _bytes(change.target.path) != change.before:
                raise InputError(f"{change.target.path} was changed just now by somebody else; nothing was done, try again")
        emptied: set[str] = set()
        for change in changes:
            if change.removes:
                emptied.update(_take_out(change))
                continue
            _keep_record(change)
            if change.is_needed:
                _replace(change)
        for folder in sorted(emptied, key=len, reverse=True):
            with contextlib.suppress(OSError):
                pathlib.Path(folder).rmdir()


def records() -> list[dict[str, Any]]:
    """Return the records of what is installed."""
    found = []
    for path in sorted((data_folder() / "installed").glob("*.json")):
        with contextlib.suppress(ValueError, OSError):
            found.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def _with_entries(target: Target, before: bytes | None) -> bytes:
    if not target.entries:
        return target.text.encode()
    text = _text(target.path, before) if before and before.strip() else "{}\n"
    try:
        for entry in target.entries:
            text = _with_entry(text, entry, target.entries)
    except InputError as error:
        raise InputError(f"{target.path} cannot be changed, {error}; nothing was written") from error
    return text.encode()


def _with_entry(text: str, entry: Entry, wanted: tuple[Entry, ...]) -> str:
    found = json_edit.find(json_edit.read(text), entry.path)
    if entry.item:
        if found is not None and isinstance(found.value, list):
            if entry.value in found.value:
                return text
            kept = [each.value for each in wanted if each.path == entry.path]
            text = _without_ours(text, entry, found.value, kept)
        return json_edit.add(text, entry.path, entry.value, item=True)
    if found is None:
        return json_edit.add(text, entry.path, entry.value)
    if found.value == entry.value:
        return text
    if not _is_ours(found.value):
        raise InputError(f"{'.'.join(entry.path)} is set to something else already")
    return text[: found.start] + json.dumps(entry.value, ensure_ascii=False) + text[found.end :]


def _without_ours(text: str, entry: Entry, items: list[Any], kept: list[Any]) -> str:
    """Take out what an earlier installation added to the same list and this one does not want."""
    for position in reversed(range(len(items))):
        if _is_ours(items[position]) and items[position] not in kept:
            text = json_edit.remove(text, (*entry.path, position))
    return text


def _is_ours(value: Any) -> bool:
    return f"{data_folder()}{os.sep}bin{os.sep}" in json.dumps(value, ensure_ascii=False)


def _restored(record: dict[str, Any], before: bytes | None) -> bytes | None:
    """Return the bytes to put back; None when the file is to go."""
    original = None if record["original"] is None else bytes.fromhex(record["original"])
    if before is None or _fingerprint(before) == record["written"] or not record["entries"]:
        return None if before is None else original
    try:
        text = _text(record["path"], before)
        for entry in reversed(record["entries"]):
            text = _without_entry(text, tuple(entry["path"]), entry["value"], entry["item"], record["made"])
    except InputError as error:
        raise InputError(f"{record['path']} cannot be changed, {error}; nothing was written") from error
    return text.encode()


def _without_entry(text: str, path: tuple[str, ...], value: Any, item: bool, made: list[list[str]]) -> str:
    found = json_edit.find(json_edit.read(text), path)
    if found is None:
        return text
    if item and isinstance(found.value, list) and value in found.value:
        text = json_edit.remove(text, (*path, found.value.index(value)))
    elif not item and found.value == value:
        text = json_edit.remove(text, path)
    for depth in range(len(path), 0, -1):
        left = json_edit.find(json_edit.read(text), path[:depth])
        if left is not None and left.value in ({}, []) and list(path[:depth]) in made:
            text = json_edit.remove(text, path[:depth])
    return text


def _keep_record(change: Change) -> None:
    target = change.target
    earlier = _record_of(target.path)
    if earlier is not None and not change.is_needed:
        return
    original, made, folders = change.before, _made(change), _missing_folders(target.path)
    if earlier is not None:
        made, folders = earlier["made"], earlier["folders"]
        if change.before is not None and _fingerprint(change.before) == earlier["written"]:
            original = None if earlier["original"] is None else bytes.fromhex(earlier["original"])
    record = {
        "host": target.host,
        "path": target.path,
        "original": None if original is None else original.hex(),
        "written": _fingerprint(change.after or b""),
        "entries": _plain_entries(target),
        "made": made,
        "folders": folders,
    }
    path = _record_file(target.path)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    _write(path, json.dumps(record, indent=1).encode(), 0o600)


def _made(change: Change) -> list[list[str]]:
    """Return the paths of the objects and lists that are not there yet."""
    text = _text(change.target.path, change.before) if change.before and change.before.strip() else "{}"
    root = json_edit.read(text if change.target.entries else "{}")
    paths = {entry.path[:depth] for entry in change.target.entries for depth in range(1, len(entry.path) + 1)}
    return [list(path) for path in sorted(paths) if json_edit.find(root, path) is None]


def _missing_folders(path: str) -> list[str]:
    """Return the folders above *path* that are not there, the deepest first."""
    return [str(folder) for folder in pathlib.Path(path).parents if not folder.exists()]


def _take_out(change: Change) -> list[str]:
    """Bring the file back and return the folders that were made for it."""
    record_file = _record_file(change.target.path)
    record = _record_of(change.target.path)
    if change.is_needed:
        _replace(change)
    record_file.unlink(missing_ok=True)
    return list(record["folders"]) if record is not None else []


def _replace(change: Change) -> None:
    real = pathlib.Path(os.path.realpath(change.target.path))
    if change.after is None:
        real.unlink(missing_ok=True)
        return
    real.parent.mkdir(parents=True, exist_ok=True)
    mode = real.stat().st_mode & 0o777 if real.exists() else (0o755 if change.target.executable else 0o600)
    _write(real, change.after, mode)


def _write(path: pathlib.Path, data: bytes, mode: int) -> None:
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(beside, mode)
        os.replace(beside, path)
    except BaseException:
        os.unlink(beside)
        raise


@contextlib.contextmanager
def _lock() -> Iterator[None]:
    import fcntl

    folder = data_folder()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with open(folder / "lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _record_file(path: str) -> pathlib.Path:
    return data_folder() / "installed" / (_fingerprint(path.encode())[:16] + ".json")


def _fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _bytes(path: str) -> bytes | None:
    try:
        return pathlib.Path(path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def _text(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8; nothing was written") from error
