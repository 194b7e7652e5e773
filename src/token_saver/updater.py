"""Brings Token-Saver up to date the way it was installed, and looks, when asked, whether there is something newer.

Nothing else imports this. It opens no connection itself: what is newer is asked of the tool that installed it, which knows
the user's index, proxy and credentials. Every process that is started here is started by ``told`` or ``carried_out``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from typing import TYPE_CHECKING, NamedTuple

from token_saver import __version__
from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from importlib.metadata import Distribution

NAME = "token-saver"
PATIENCE = 5.0
"""Seconds that a look for something newer may take."""
KEPT = 86_400.0
"""Seconds for which the answer of such a look holds."""
_CACHE = "update.json"
_PLUGINS = f"{os.sep}.claude{os.sep}plugins{os.sep}"


class Installation(NamedTuple):
    """How Token-Saver was installed: *kind* for programs, *title* for people.

    *commands* bring it up to date, in this order; none when it is not for us to do. *ask* is the command that tells the newest
    version; none where there is no way to ask. *root* is the folder of a checkout.
    """

    kind: str
    title: str
    commands: tuple[tuple[str, ...], ...] = ()
    ask: tuple[str, ...] = ()
    root: str = ""


def installation() -> Installation:
    """Return how this very installation came to be."""
    package = os.path.dirname(os.path.realpath(__file__))
    if _PLUGINS in package:
        return Installation("plugin", "a plugin of Claude Code", (("claude", "plugin", "update", f"{NAME}@{NAME}"),))
    found = _distribution()
    root = _checkout(package)
    if root and (found is None or _is_editable(found)):
        return _of_checkout(root, found is not None)
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        ask = ("pipx", "runpip", NAME, "index", "versions", NAME)
        return Installation("pipx", "by pipx", (("pipx", "upgrade", NAME),), ask)
    if os.path.exists(os.path.join(sys.prefix, "uv-receipt.toml")):
        return Installation("uv tool", "as a tool of uv", (("uv", "tool", "upgrade", NAME),), _UV_ASK)
    return _in_environment(found)


_UV = ("uv", "pip", "install", "--python", sys.executable, "--upgrade")
_UV_ASK = (*_UV, "--dry-run", NAME)
_PIP = (sys.executable, "-m", "pip")


def _in_environment(found: Distribution | None) -> Installation:
    if found is None:
        return Installation("unknown", "in a way that is not known")
    if _is_managed():
        return Installation("system", "by the package manager of the system, which brings it up to date")
    installer = (found.read_text("INSTALLER") or "").strip()
    if installer == "uv":
        return Installation("uv pip", "by uv", ((*_UV, NAME),), _UV_ASK)
    return Installation("pip", "by pip", ((*_PIP, "install", "--upgrade", NAME),), (*_PIP, "index", "versions", NAME))


def _of_checkout(root: str, installed: bool) -> Installation:
    commands: list[tuple[str, ...]] = [("git", "-C", root, "pull", "--ff-only")]
    if installed:
        by_pip = os.path.isdir(os.path.join(sysconfig.get_path("purelib"), "pip"))
        commands.append((*_PIP, "install", "--editable", root) if by_pip else (*_UV[:-1], "--editable", root))
    return Installation(
        "git", f"from a checkout, {root}", tuple(commands), ("git", "-C", root, "ls-remote", "origin", "HEAD"), root
    )


def _distribution() -> Distribution | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return distribution(NAME)
    except PackageNotFoundError:
        return None


def _is_editable(found: Distribution) -> bool:
    """Tell whether the distribution points to a folder (PEP 610)."""
    try:
        url = json.loads(found.read_text("direct_url.json") or "{}")
    except ValueError:
        return False
    return bool(isinstance(url, dict) and url.get("dir_info", {}).get("editable"))


def _checkout(package: str) -> str:
    """Return the folder above ``src/token_saver`` when it is a checkout, else ""."""
    root = os.path.dirname(os.path.dirname(package))
    return root if os.path.exists(os.path.join(root, ".git")) else ""


def _is_managed() -> bool:
    """Tell whether the environment says that only the system may change it (PEP 668)."""
    marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
    return sys.prefix == sys.base_prefix and os.path.exists(marker)


def newer(of: Installation, *, now: Callable[[], float] = time.time) -> str | None:
    """Return what is newer than this installation: a version, or a commit of a checkout; None when nothing is known to be.

    An answer is kept for a day. Offline, or when the tool has no answer in time, it is None and nothing is kept.
    """
    if not of.ask:
        return None
    known = _kept(of, now())
    if known is None:
        answer = told(of.ask, PATIENCE)
        known = None if answer is None else _newest(of, answer)
        if known is None:
            return None
        _keep(of, known, now())
    return known if _is_newer(of, known) else None


def _newest(of: Installation, answer: str) -> str | None:
    """Return the newest version, or commit, that the tool speaks of; "" when it says that there is none newer."""
    if of.kind == "git":
        return answer.split()[0] if answer.split() else None
    for line in answer.splitlines():
        words = line.split()
        if words[:1] == [NAME] and len(words) > 1 and words[1].startswith("("):
            return words[1].strip("()")
        if words[:1] == ["+"] and words[1:2] and words[1].startswith(NAME + "=="):
            return words[1].partition("==")[2]
    return "" if of.ask == _UV_ASK else None


def _is_newer(of: Installation, found: str) -> bool:
    if of.kind == "git":
        return told(("git", "-C", of.root, "merge-base", "--is-ancestor", found, "HEAD"), PATIENCE) is None
    return _ordered(found) > _ordered(__version__)


def _ordered(version: str) -> tuple[int, ...]:
    """Return the numbers of a release; what follows them, such as ``rc1``, counts for nothing."""
    numbers: list[int] = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)


def update(of: Installation) -> int:
    """Carry out what brings *of* up to date, then put the hooks of the connected hosts in place again; the first bad status.

    Raises InputError when a program that is needed is not there, before anything is done.
    """
    for command in of.commands:
        if shutil.which(command[0]) is None:
            raise InputError(f"{command[0]} is needed for this and was not found")
    _forget()
    return next((status for command in (*of.commands, *refreshing()) if (status := carried_out(command))), 0)


def refreshing() -> Iterable[tuple[str, ...]]:
    """Yield the commands that write hooks and snapshot anew, by the code that was installed just now."""
    from token_saver.hosts import layout

    for host, mode in layout.connected():
        yield (sys.executable, "-I", "-m", "token_saver", "init", host.name, "--mode", mode)


def told(command: tuple[str, ...], patience: float) -> str | None:
    """Return what *command* prints; None when it fails, is not there, or takes longer than *patience* seconds."""
    quiet = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=patience,
            env=quiet,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def carried_out(command: tuple[str, ...]) -> int:
    """Run *command* with the user's own terminal and return its status."""
    return subprocess.run(command, check=False).returncode


def _cache() -> str:
    import platformdirs

    return os.path.join(platformdirs.user_cache_dir(NAME), _CACHE)


def _kept(of: Installation, now: float) -> str | None:
    try:
        with open(_cache(), encoding="utf-8") as file:
            kept = json.load(file)
        fresh = kept["kind"] == of.kind and 0 <= now - float(kept["when"]) < KEPT
        return str(kept["newest"]) if fresh else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _keep(of: Installation, newest: str, now: float) -> None:
    """Keep the answer; where it cannot be kept, the next look asks again."""
    path = _cache()
    beside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(beside, "w", encoding="utf-8") as file:
            json.dump({"kind": of.kind, "when": now, "newest": newest}, file)
        os.replace(beside, path)
    except OSError:
        pass


def _forget() -> None:
    try:
        os.unlink(_cache())
    except OSError:
        pass
