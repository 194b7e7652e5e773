"""What git says of a change: which commit, which new name. It never decides whether something changed.

``git log -S NAME`` counts occurrences of a name and misses a changed body, so a change is looked for along the lines of the
definition (``-L``), a disappearance by ``-S`` within the one file.
"""

from __future__ import annotations

import os

from token_saver_memory.freshness.symbols import symbols_of

TIMEOUT = 2.0
_COMMIT = "--format=%h of %cs"


def head(top: str) -> str:
    """Return the commit that is checked out at *top*, "" when there is none."""
    return (_git(top, "rev-parse", "--verify", "-q", "HEAD") or b"").decode().strip()


def changed(top: str, path: str, symbol: str, anchor: str) -> str:
    """Say since when *symbol* is another than the one of the hash *anchor*."""
    committed = _git(top, "show", f"HEAD:./{path}")
    found = [one for one in symbols_of(committed or b"", path) or () if one.name == symbol]
    if any(one.digest == anchor for one in found):
        return "changed since, not committed"
    if found:
        lines = f"{found[0].first},{found[0].last}:{path}"
        commit = _first(_git(top, "log", "-1", "--no-patch", _COMMIT, "-L", lines))
        if commit:
            return f"changed since (commit {commit})"
    return "changed since"


def missing(top: str, path: str, symbol: str) -> str:
    """Say where *symbol* went that *path* no longer has."""
    commit = _first(_git(top, "log", "-1", _COMMIT, "-S", symbol.rsplit(".", 1)[-1], "--", path))
    return f"{symbol} is gone from {path}" + (f" (commit {commit})" if commit else "")


def missing_file(top: str, path: str) -> str:
    """Say where the file *path* went."""
    commit = _first(_git(top, "log", "-1", "--format=%h", "--diff-filter=D", "--", path))
    if not commit:
        return f"{path} is gone"
    for line in (
        (_git(top, "show", "--format=", "--name-status", "-M", "--relative", commit) or b"").decode(errors="replace").splitlines()
    ):
        status, _, names = line.partition("\t")
        old, _, new = names.partition("\t")
        if status.startswith("R") and old == path:
            return f"{path} is now {new} (commit {commit})"
    return f"{path} is gone (commit {commit})"


def _first(output: bytes | None) -> str:
    return (output or b"").decode(errors="replace").partition("\n")[0].strip()


def _git(top: str, *arguments: str) -> bytes | None:
    """Return what git prints at *top*; None when it is absent, fails or takes too long."""
    import subprocess

    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {"LC_ALL": "C"}
    command = ["git", "--no-optional-locks", "-c", "core.quotePath=off", "-c", "log.showSignature=false", "-C", top, *arguments]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, env=environment, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
