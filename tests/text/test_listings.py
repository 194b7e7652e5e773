from __future__ import annotations

import pytest

from token_saver.text.listings import Entry, found, listing, room
from token_saver.text.pieces import Fold, count_lines, render


def entries(count: int, *, about: str = "a library for harbors and ferries of every kind", shared: int = 1) -> list[Entry]:
    made = []
    for n in range(count):
        name, version = f"libharbor{n}", f"1.{n // shared}.0"
        line = f"ii  {name:20} {version:10} {about}"
        made.append(Entry([line], f"ii {name} {version} {about}", name, version))
    return made


def shown(count: int, **how: int) -> str:
    pieces = listing(entries(count, **how))  # type: ignore[arg-type]
    assert count_lines(pieces) == count
    return "\n".join(render(pieces))


def test_a_short_list_is_told_in_full() -> None:
    assert shown(2).split("\n")[1] == "ii libharbor1 1.1.0 a library for harbors and ferries of every kind"


def test_a_longer_one_by_name_and_version_with_both_ends_in_full() -> None:
    result = shown(100)
    assert result.split("\n")[0].endswith("of every kind") and result.split("\n")[-1].endswith("of every kind")
    assert "libharbor50 1.50.0\n" in result
    assert " lines of which name and version are shown]" in result


def test_a_long_one_tells_a_shared_version_once_and_every_name() -> None:
    result = shown(900, shared=6)
    assert "1.50.0: libharbor300 libharbor301 libharbor302 libharbor303 libharbor304 libharbor305" in result
    assert all(f"libharbor{n}" in result for n in range(900))


def test_single_ones_are_told_by_name_when_there_is_no_room_for_versions() -> None:
    result = shown(2000)
    assert " lines of which the name is shown: " in result
    assert all(f"libharbor{n}" in result for n in range(2000))


def test_odd_ones_are_never_told_by_name_alone() -> None:
    rows = entries(2000)
    rows[700] = Entry(["rc  old  1.0  gone" + " " * 80], "rc old 1.0 gone", "old", "1.0", odd="rc old 1.0")
    assert "\nrc old 1.0\n" in "\n".join(render(listing(rows)))


def test_names_and_versions_alone_may_take_more() -> None:
    rows = [
        Entry([f"package-number-{n}==1.{n}.0"], f"package-number-{n}==1.{n}.0", "", "", slim=f"package-number-{n}==1.{n}.0")
        for n in range(250)
    ]
    assert not any(isinstance(piece, Fold) for piece in listing(rows))


def test_what_a_search_found_first_keeps_its_description() -> None:
    pieces = found(entries(600))
    result = "\n".join(render(pieces))
    assert count_lines(pieces) == 600
    assert result.startswith("ii libharbor0 1.0.0 a library")
    assert "lines of which the name is shown: libharbor" in result


@pytest.mark.parametrize("size", [0, 5000, 5001, 8000, 17_000, 17_001, 100_000, 10_000_000])
def test_the_room_never_shrinks_and_never_exceeds_the_size(size: int) -> None:
    assert room(size) <= room(size + 1) <= size + 1
