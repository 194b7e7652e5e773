from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from token_saver.text.stream import Reducer


def feed(text: bytes, size: int, head: int, tail: int) -> Reducer:
    reducer = Reducer(head, tail)
    for start in range(0, len(text), size):
        reducer.feed(text[start : start + size])
    return reducer


@given(st.binary(max_size=400), st.integers(1, 50))
def test_what_fits_comes_back_byte_for_byte(text: bytes, size: int) -> None:
    assert b"".join(feed(text, size, 200, 200).finish()) == text


def test_both_ends_stay_and_the_middle_is_counted() -> None:
    lines = [b"2026-01-01 request %d served in 5 ms" % n for n in range(5000)]
    reducer = feed(b"\n".join(lines) + b"\n", 999, 1000, 1000)
    result = b"".join(reducer.finish())
    assert result.startswith(lines[0]) and result.endswith(lines[-1] + b"\n")
    assert reducer.reduced and len(result) < 5000
    shown = sum(line in lines for line in result.split(b"\n"))
    assert f"[… {5000 - shown} lines]".encode() in result


def test_rare_failures_of_the_middle_are_kept_among_common_ones() -> None:
    lines = [b"GET /item/%d 200" % n for n in range(20_000)]
    lines[::100] = [b"ERROR upstream timed out after %d ms" % n for n in range(200)]
    planted = [b"FATAL disk /dev/sda gone", b"panic: ledger out of balance", b"error: key store is sealed"]
    lines[7001], lines[9001], lines[13001] = planted
    result = b"".join(feed(b"\n".join(lines), 65536, 4000, 4000).finish())
    assert all(line in result for line in planted)
    assert len(result) < 12_000


def test_failures_that_begin_alike_are_told_by_their_messages() -> None:
    prefix = b"2026-01-01T12:00:%02d.%03dZ ERROR [worker-%d] org.example.service.RequestHandler - "
    lines = [prefix % (n % 60, n % 1000, n % 8) + b"read of %x timed out" % (n * 7919) for n in range(20_000)]
    planted = [b"disk is gone", b"ledger out of balance", b"key store is sealed", b"quota used up", b"leader lost"]
    for at, message in zip((3001, 6001, 9001, 12001, 15001), planted, strict=True):
        lines[at] = prefix % (0, 0, 1) + message
    result = b"".join(feed(b"\n".join(lines), 65536, 4000, 4000).finish())
    assert all(message in result for message in planted)
    assert len(result) < 12_000


def test_a_failure_told_at_the_end_of_a_long_line_is_seen() -> None:
    lines = [
        b"2026-01-01 INFO [%d] " % n + b"a rather long description of what is done here " * 3 + b"-> done" for n in range(9_000)
    ]
    lines[5001] = lines[5001].replace(b"-> done", b"-> failed")
    assert lines[5001] in b"".join(feed(b"\n".join(lines), 65536, 4000, 4000).finish())


def test_a_long_failure_is_cut_with_a_mark() -> None:
    lines = [b"fine %d" % n for n in range(3_000)]
    lines[1500] = b"error: " + b"very " * 2000 + b"bad"
    result = b"".join(feed(b"\n".join(lines), 65536, 1000, 1000).finish())
    assert "…[+".encode() in result and b"very bad\n" in result


def test_one_endless_line_is_bounded() -> None:
    reducer = feed(b"x" * 3_000_000, 65536, 10_000, 10_000)
    assert sum(map(len, reducer.finish())) < 200_000
