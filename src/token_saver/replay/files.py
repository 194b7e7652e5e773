"""Writing a file of a replay in one step, so that no reader ever sees half of it."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from token_saver.errors import InputError

if TYPE_CHECKING:
    import pathlib


def replace(path: pathlib.Path, content: bytes, mode: int = 0o644) -> None:
    """Put *content* in the place of the file *path* in one step; raises ``InputError`` when it cannot be written."""
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except OSError as error:
        os.unlink(temporary)
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
