"""The command line: one file a command group."""

from __future__ import annotations


def main() -> int:
    """Run the ``token-saver`` command and return its exit status."""
    raise NotImplementedError
