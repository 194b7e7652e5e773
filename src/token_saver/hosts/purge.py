"""What Token-Saver keeps on this machine, so that ``token-saver uninit --purge`` can delete all of it."""

from __future__ import annotations

import os
import shutil

from token_saver import snapshot
from token_saver.errors import InputError
from token_saver.hosts.install import data_folder

NAME = "token-saver"


def kept() -> list[str]:
    """Return the folders that are there: caches and the log; records of installing, statistics, kept outputs, memories."""
    from token_saver import store

    cache = os.path.dirname(snapshot.folder(os.environb))
    folders = dict.fromkeys((cache, str(data_folder()), store.data_folder()))
    return [folder for folder in folders if os.path.isdir(folder)]


def purge() -> list[str]:
    """Delete the folders that ``kept`` names and return them.

    Raises InputError, and deletes nothing, when one of them is a link or is not named after us: somebody's own place.
    """
    folders = kept()
    for folder in folders:
        if os.path.islink(folder) or (NAME not in os.path.basename(folder) and not _is_ours(folder)):
            raise InputError(f"{folder} may hold more than ours; delete it yourself")
    for folder in folders:
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise InputError(f"{folder} cannot be deleted: {error.strerror}") from error
    return folders


def _is_ours(folder: str) -> bool:
    """Tell whether a folder with another name holds nothing but what we make there."""
    known = ("savings.", "statistics.", "audit.", "kept.", "memory", "navigator", "installed", "bin", "lock")
    return all(name.startswith(known) for name in os.listdir(folder))
