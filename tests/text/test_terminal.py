from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.terminal import plain


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[31m",
        "\x1b[38:2:1:2:3m",
        "\x1b[?25l",
        "\x1b[?2004h",
        "\x1b(B",
        "\x1b]8;;https://example.org\x1b\\",
        "\x1b]0;title\x07",
        "\x1b=",
        "\x1bPq#0\x1b\\",
        "\x9b1m",
        "\x1b[0K",
    ],
)
def test_control_sequences_leave_no_trace(sequence: str) -> None:
    assert plain(f"a{sequence}b") == ("ab", 0)


def test_text_without_control_is_the_same_object() -> None:
    text = "plain text\nof two lines\n"
    assert plain(text)[0] is text


def test_windows_line_ends_become_newlines() -> None:
    assert plain("a\r\nb\r\r\nc") == ("a\nb\nc", 0)


def test_overwritten_progress_is_dropped_and_counted() -> None:
    assert plain("  1% |  | 1/9\r 50% |# | 4/9\r100% |##| 9/9\ndone\n") == ("100% |##| 9/9\ndone\n", 2)


def test_a_message_behind_a_carriage_return_stays() -> None:
    text = "Rebasing (1/1)\rAuto-merging app.py\nCONFLICT (content): Merge conflict in app.py\n"
    assert plain(text)[0] == "Auto-merging app.py\nCONFLICT (content): Merge conflict in app.py\n"
    assert "error: no" in plain("error: no such host\rretrying\n")[0]


def test_a_trailing_carriage_return_keeps_the_last_frame() -> None:
    assert plain("fetch 10%\rfetch 99%\r") == ("fetch 99%", 1)


def test_backspaces_take_the_character_before() -> None:
    assert plain("ab\x08c")[0] == "ac"


@given(st.text(st.sampled_from("ab0;[]m?K\\\x1b\x9b\x07\x08\r\n\x7f\x01()A"), max_size=40))
def test_nothing_is_left_for_a_second_reading(text: str) -> None:
    once, _ = plain(text)
    assert plain(once) == (once, 0)


def test_line_ends_are_content_where_they_are_mixed_and_asked_for() -> None:
    mixed = "-a\r\n+a\n"
    assert plain(mixed, line_ends=True) == (mixed, 0)
    assert plain(mixed) == ("-a\n+a\n", 0)
    assert plain("a\r\nb\r\n", line_ends=True) == ("a\nb\n", 0)
