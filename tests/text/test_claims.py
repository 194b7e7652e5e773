from __future__ import annotations

from token_saver.text.claims import unfounded

CAPTURE = "\x1b[32m3 passed\x1b[0m\nTotal: \x1b[1m0\x1b[0m errors in   1 file\n"


def test_a_word_of_success_that_the_capture_does_not_hold_is_found() -> None:
    assert unfounded(["3 passed", "all tests passed, no errors"], CAPTURE) == "all tests passed, no errors"


def test_what_the_capture_says_in_colours_or_with_more_blanks_is_the_tools_own_word() -> None:
    assert unfounded(["3 passed", "Total: 0 errors in 1 file"], CAPTURE) is None


def test_a_marker_is_a_count_and_no_claim() -> None:
    assert unfounded(["[… 12 lines of success]"], "") is None
