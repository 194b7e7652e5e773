"""Token-Saver shortens command output for coding agents and says what it left out.

``from token_saver import compress`` is the whole everyday interface; importing the package loads nothing else and
touches no file.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from token_saver.core import compress as compress
    from token_saver.engine import CompressionEngine as CompressionEngine
    from token_saver.processor import Processor as Processor

__version__ = "0.1.0"

__all__ = ["CompressionEngine", "Processor", "__version__", "compress"]

_HOME = {
    "compress": "token_saver.core",
    "CompressionEngine": "token_saver.engine",
    "Processor": "token_saver.processor",
}


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = __import__(_HOME[name], fromlist=[name])
    value: object = getattr(module, name)
    globals()[name] = value
    return value
