"""Reading what was recorded: plain, ``.gz`` and ``.zst`` files inside one folder, bounded, strict UTF-8."""

from __future__ import annotations

import gzip
import importlib
import os
import zlib
from typing import TYPE_CHECKING

from token_saver.errors import InputError

if TYPE_CHECKING:
    import pathlib
    from collections.abc import Callable

_FEW = 256
"""Packed bytes at a time: of zeros even these hold some megabytes."""


def read_capture(folder: pathlib.Path | str, name: str, most_bytes: int) -> str:
    """Return the text of the capture *name* inside *folder*; ``.gz`` and ``.zst`` are unpacked.

    Raises ``InputError`` when the path leaves the folder, is no regular file, holds more than *most_bytes* once it is
    unpacked, or is not UTF-8.
    """
    root = os.path.realpath(folder)
    path = inside(root, root, name)
    read = _READERS.get(os.path.splitext(path)[1], _plain)
    try:
        raw = read(path, most_bytes + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{name}: cannot be read: {error}") from error
    if len(raw) > most_bytes:
        raise InputError(f"{name}: larger than max_output_bytes ({most_bytes:,})")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: not UTF-8 at byte {error.start:,}") from error


def inside(root: str, folder: str, name: str) -> str:
    """Return the real path of the file *name* of *folder*; raises ``InputError`` when it is none or lies outside *root*.

    *root* is a real path. Symbolic links are followed before it is asked where the file lies.
    """
    path = os.path.realpath(os.path.join(folder, name)) if "\0" not in name else ""
    if not path or os.path.isabs(name) or os.path.commonpath([root, path]) != root:
        raise InputError(f"{name!r}: must lie in the folder of the manifest")
    if not os.path.isfile(path):
        raise InputError(f"{name!r}: there is no such file beside the manifest")
    return path


def _plain(path: str, most: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(most)


def _gzip(path: str, most: int) -> bytes:
    with gzip.open(path) as file:
        return file.read(most)


def _zstandard(path: str, most: int) -> bytes:
    """Use the standard library (Python 3.14), else the extra."""
    try:
        zstd = importlib.import_module("compression.zstd")
    except ImportError:
        return _zstandard_by_extra(path, most)
    try:
        with zstd.open(path) as file:
            return bytes(file.read(most))
    except zstd.ZstdError as error:
        raise OSError(str(error)) from error


def _zstandard_by_extra(path: str, most: int) -> bytes:
    """Unpack frame after frame; the package's own file object takes a capture that was cut off for a whole one."""
    try:
        zstd = importlib.import_module("zstandard")
    except ImportError as error:
        raise InputError("a .zst capture needs Python 3.14 or the extra: install token-saver[zstd]") from error
    made = bytearray()
    frame = zstd.ZstdDecompressor().decompressobj()
    with open(path, "rb") as file:
        try:
            while len(made) < most and (rest := file.read(_FEW)):
                while rest:
                    frame = zstd.ZstdDecompressor().decompressobj() if frame.eof else frame
                    made += frame.decompress(rest)
                    rest = frame.unused_data
        except zstd.ZstdError as error:
            raise OSError(str(error)) from error
    if len(made) < most and not frame.eof:
        raise EOFError("the packed data ends too early")
    return bytes(made[:most])


_READERS: dict[str, Callable[[str, int], bytes]] = {".gz": _gzip, ".zst": _zstandard}
