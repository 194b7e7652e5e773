"""From the output of a run to its difference to the last one: compare once, keep the run, choose the shorter truth.

The ordinary result wins when it is no larger and already holds every new and changed detail. Whatever fails (the file is
damaged or locked, the disk is full, the run is too large) is the caller's to catch: the ordinary result stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.delta import rendering, snapshots
from token_saver.diagnostics import compare
from token_saver.errors import StoreError
from token_saver.kept import Bounds, Kept

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from token_saver.diagnostics import Change, Snapshot

MOST_CHARS = 1_000_000
"""An output of more characters is not compared."""


def opened(settings: Mapping[str, Any], folder: str) -> Kept:
    """Return the store of kept runs in *folder*, within the bounds that the settings name."""
    bounds = Bounds(settings["delta_retention_hours"] * 3600.0, settings["delta_max_runs"], one=snapshots.MOST_BYTES)
    return Kept(f"{folder}/{snapshots.FILE}", bounds)


def difference(current: Snapshot, ordinary: str, *, status: int | None, scope: str, kept: Kept, hint: str) -> str | None:
    """Keep *current* and return its difference to the run before; None where there is none or *ordinary* tells it better.

    *hint* is a command to which the number of the run before can be added, "" for none.

    Raises StoreError when the runs cannot be kept; then no run of this *scope* is compared with one before it.
    """
    try:
        payload = snapshots.encoded(current, status)
    except StoreError:
        kept.forget(scope)
        raise
    before, _ = kept.exchange(scope, payload)
    if before is None:
        return None
    previous, _ = snapshots.decoded(before.payload)
    changes = compare(previous, current)
    text = rendering.rendered(changes, current, previous, before.number, ordinary, hint)
    if len(ordinary) <= len(text) and holds_details(ordinary, changes):
        return None
    return text


def holds_details(ordinary: str, changes: Sequence[Change]) -> bool:
    """Tell whether the ordinary result shows all that the tool printed about what is new or changed."""
    return all(change.diagnostic.detail.strip("\n") in ordinary for change in changes if change.needs_detail)
