"""What ``token-saver doctor`` says of the snapshot and of what plugins bring. Not on the hot path."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from token_saver import plugins, snapshot
from token_saver.hosts import layout
from token_saver.hosts.finding import AGAIN, NOTE, OK, WRONG, Finding
from token_saver.hosts.listeners import CLAUDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_COUNTED = ("processors", "listeners", "observers", "hosts")
_BROUGHT = ("commands", "listeners", "observers", "hosts", "mcp_tools", "tokenizers")


def of_snapshot() -> Iterator[Finding]:
    """Tell whether the hot path has a snapshot that it can use."""
    place = snapshot.folder(os.environb)
    path = os.path.join(place, snapshot.REGISTRY)
    if os.path.isdir(place) and not os.access(place, os.W_OK | os.X_OK):
        what = f"{place} cannot be written, so no snapshot can be kept and hooks stay silent"
        yield Finding("snapshot", WRONG, what, "make the folder yours and writable")
    elif not os.path.lexists(path):
        yield Finding("snapshot", NOTE, "there is none yet; the next command makes it")
    elif (found := snapshot.read(place)) is None:
        what = f"{path} cannot be used: damaged, of another version, or not private"
        yield Finding("snapshot", NOTE, what, "the next command makes it anew; when this stays, remove the folder")
    elif not found.is_fresh(os.environb):
        yield Finding("snapshot", NOTE, f"stale, since {_changed(found)} changed; the next command makes it anew")
    else:
        content: Mapping[str, Any] = found.content
        yield Finding("snapshot", OK, ", ".join(f"{len(content[kind])} {kind}" for kind in _COUNTED))


def _changed(found: snapshot.Snapshot) -> str:
    """Return what it was made from and is not any more as it was."""
    names = [name for name, value in found.content["variables"].items() if os.environ.get(name) != value]
    paths = [path for path, when in found.content["stamps"] if snapshot.stamp(path) != when]
    return ", ".join([*names, *paths][:3])


def of_plugins() -> Iterator[Finding]:
    """Name the plugins that are left out, and why."""
    problems = list(plugins.default_found().problems)
    for kind in _BROUGHT:
        problems += plugins.extensions(kind)[1]
    for problem in dict.fromkeys(problems):
        yield Finding("plugins", WRONG, f"{problem.plugin} {problem.reason}", "correct it, or take it out")


def of_listeners(records: list[dict[str, Any]]) -> Iterator[Finding]:
    """Tell which events of Claude Code plugins want, and whether the settings send them."""
    listeners, problems = plugins.extensions("listeners")
    wanted = sorted({listener.kind for listener in listeners})
    names = [name for name, kind in CLAUDE.items() if kind in wanted]
    if not names or not records or problems:
        return
    sent = {tuple(entry["path"]) for record in records for entry in record["entries"] if layout.is_of_events(entry["value"])}
    missing = [name for name in names if ("hooks", name) not in sent]
    if missing:
        yield Finding("listeners", WRONG, f"plugins want {', '.join(missing)}, which the settings do not send", AGAIN)
    else:
        yield Finding("listeners", OK, f"plugins are told of {', '.join(names)}")
