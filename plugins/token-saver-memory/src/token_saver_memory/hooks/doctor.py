"""What failed in the hooks, as the log of trouble tells it: for ``token-saver memory doctor``."""

from __future__ import annotations

MOST = 20


def failures(most: int = MOST) -> list[str]:
    """Return the last lines of the log of trouble that are the memory's, oldest first."""
    from token_saver.hosts import trouble

    try:
        with open(trouble.path(), encoding="ascii", errors="replace") as file:
            lines = [line.rstrip("\n") for line in file if " memory: " in line]
    except OSError:
        return []
    return lines[-most:]
