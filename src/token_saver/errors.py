"""Every error of ours, in one tree.

TokenSaverError
├── SettingsError(ValueError)        a settings file or value is wrong
├── ProcessorError(RuntimeError)     a processor broke its contract
├── RegistryError(ValueError)        the set of processors is not usable
├── SnapshotError(RuntimeError)      the compiled registry is stale or damaged
├── ShellSyntaxError(ValueError)     a command line could not be read
├── InputError(ValueError)           what the user handed over cannot be used
└── StoreError(RuntimeError)         a database of ours cannot be opened or written

Messages say what was wrong, where, and what would be right. They never hold command output.
"""

from __future__ import annotations


class TokenSaverError(Exception):
    """The root: catch this to catch everything that Token-Saver raises on purpose."""


class SettingsError(TokenSaverError, ValueError):
    """A settings file or value is wrong."""


class ProcessorError(TokenSaverError, RuntimeError):
    """A processor broke its contract; the message names it."""


class RegistryError(TokenSaverError, ValueError):
    """The set of processors is not usable: two of one name, or no fallback."""


class SnapshotError(TokenSaverError, RuntimeError):
    """The compiled registry is missing, stale or damaged."""


class ShellSyntaxError(TokenSaverError, ValueError):
    """A command line could not be read."""


class InputError(TokenSaverError, ValueError):
    """What the user handed over (a label, a file, an option) cannot be used."""


class StoreError(TokenSaverError, RuntimeError):
    """A database of ours cannot be opened or written."""
