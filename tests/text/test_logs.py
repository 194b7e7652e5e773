"""Logs: what is like what, and what is not."""

from __future__ import annotations

import pytest

from token_saver.text.logs import read_log


@pytest.mark.parametrize("word", ["refused", "failed", "ERROR", "denied", "lost", "timeout"])
def test_one_line_whose_last_word_differs_is_not_like_the_others(word: str) -> None:
    lines = [f"2026-01-01 12:{n // 60:02}:{n % 60:02} INFO request {n} ok" for n in range(400)]
    lines[81] = f"2026-01-01 12:01:21 INFO request 81 {word}"
    kept = [piece for piece in read_log(lines) if isinstance(piece, str)]
    assert lines[81] in kept and len(kept) < 40
