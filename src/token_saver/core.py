"""compress() for hosts and for Python: an engine, and the promise that an error of ours never costs any output."""

from __future__ import annotations

from token_saver.engine import CompressionEngine, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    class Compressor(Protocol):
        """What ``compress`` needs of an engine: the text, and the metadata of the last call."""

        def compress(self, command: str, output: str, exit_code: int | None = None) -> tuple[str, str, bool]:
            """Return (output, processor name, whether it was changed)."""

        @property
        def last_event(self) -> Mapping[str, Any]:
            """The metadata of the last result."""


_engine: CompressionEngine | None = None


def compress(command: str, output: str, exit_code: int | None = None, *, compressor: Compressor | None = None) -> Result:
    """Shorten the *output* of *command*, which is a label and never run; *exit_code* is None when it is not known.

    Returns a ``Result``; its ``output`` is *output* itself when nothing was gained or when anything of ours failed. The
    *compressor* defaults to one engine with all plugins and the user's settings, made at the first call.
    """
    try:
        chosen = _default() if compressor is None else compressor
        if isinstance(chosen, CompressionEngine):
            return chosen.run(command, output, exit_code)
        text, processor, changed = chosen.compress(command, output, exit_code)
        event = chosen.last_event
    except Exception as error:
        return Result(output, "passthrough", False, fault=type(error).__name__)
    return Result(
        text,
        processor,
        changed,
        attempted=str(event.get("attempted_processor", processor)),
        redacted=bool(event.get("redacted", False)),
        original_len=len(output),
    )


def _default() -> CompressionEngine:
    global _engine
    if _engine is None:
        _engine = CompressionEngine()
    return _engine
