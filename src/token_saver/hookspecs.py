"""What a plugin may provide. Each hook is a signature and a promise; ``token_saver.plugins`` calls them.

A plugin is a distribution with an entry point in the group ``token_saver``, or a ``.py`` file in the user's processor
folder. A plugin that raises is reported once, by name, and left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from token_saver.processor import Processor

PROJECT = "token_saver"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Hooks:
    """The hooks that Token-Saver calls."""

    @hookspec
    def token_saver_processors(self) -> list[Processor]:  # type: ignore[empty-body]
        """Return the processors that the plugin adds; called once, when the registry is built."""
