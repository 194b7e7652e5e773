"""Adding one capture to a manifest folder, whole or not at all, also while others add theirs."""

from __future__ import annotations

import fcntl
import gzip
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec

from token_saver.errors import InputError
from token_saver.replay.files import replace
from token_saver.replay.manifest import MAX_MANIFEST_BYTES, SCHEMA_VERSION, Case, Manifest, cases, encode, read_manifest

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Iterator

MANIFEST = "manifest.json"
PACKED_FROM_CHARS = 65_536
"""Larger captures are packed."""
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


def append(folder: pathlib.Path, name: str, case: Case, text: str) -> Case:
    """Write *text* as a capture into *folder* and *case* into its manifest; return the case as it was written.

    ``name`` and ``input`` of the case are made from *name*, with a number where that is taken. Whoever calls has masked
    everything. Raises ``InputError`` when the folder or its manifest cannot be used; nothing has changed then.
    """
    raw = text.encode("utf-8")
    packed = len(text) > PACKED_FROM_CHARS
    try:
        folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from error
    with _locked(folder):
        path = folder / MANIFEST
        old = read_manifest(path) if path.exists() else Manifest(schema_version=SCHEMA_VERSION)
        taken = {known.name for known in cases(path)} if path.exists() else set()
        free = _free(folder, name, taken)
        made = msgspec.structs.replace(case, name=free, input=f"{free}.txt{'.gz' if packed else ''}")
        content = encode(msgspec.structs.replace(old, cases=(*old.cases, made)))
        if len(content) > MAX_MANIFEST_BYTES:
            raise InputError(f"{path}: is full ({MAX_MANIFEST_BYTES:,} bytes): record into another folder and include it")
        replace(folder / made.input, gzip.compress(raw, mtime=0) if packed else raw, PRIVATE_FILE)
        try:
            replace(path, content, path.stat().st_mode & 0o777 if path.exists() else PRIVATE_FILE)
        except InputError:
            (folder / made.input).unlink()
            raise
    return made


def _free(folder: pathlib.Path, name: str, taken: set[str]) -> str:
    """Return *name*, numbered when a case or a file has it."""
    number, free = 1, name
    while free in taken or any((folder / f"{free}.txt{ending}").exists() for ending in ("", ".gz")):
        number += 1
        free = f"{name}-{number}"
    return free


@contextmanager
def _locked(folder: pathlib.Path) -> Iterator[None]:
    """Hold the folder itself, so that no further file is needed; it is let go when the process ends, however it ends."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
