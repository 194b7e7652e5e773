"""The shapes in which search tools print matches."""

from __future__ import annotations

from token_saver.text.matches import CONTEXT, MATCH, SEPARATOR, File, read, shorten
from token_saver.text.pieces import count_lines


def files(text: str) -> list[tuple[str, list[tuple[str, str]]] | str]:
    """Return what ``read`` finds, as plain values."""
    return [
        item if isinstance(item, str) else (item.path, [(row.kind, row.text) for row in item.rows])
        for item in read(text.splitlines())
    ]


def test_matches_are_gathered_by_path_in_order() -> None:
    assert files("a.py:3:x\na.py:9:y\nb c/d.py:1:z\na.py:12:w\n") == [
        ("a.py", [(MATCH, "x"), (MATCH, "y")]),
        ("b c/d.py", [(MATCH, "z")]),
        ("a.py", [(MATCH, "w")]),
    ]


def test_windows_paths_and_columns() -> None:
    assert files("C:\\src\\a.py:3:7:x\nC:\\src\\a.py:9:1:y\n") == [("C:\\src\\a.py", [(MATCH, "7:x"), (MATCH, "1:y")])]


def test_context_belongs_to_the_match_around_it() -> None:
    assert files("my-2-x.py-1-a\nmy-2-x.py:2:b\nmy-2-x.py=0=def f\n--\nmy-2-x.py:9:c\n--\nz.py:1:d\n") == [
        ("my-2-x.py", [(CONTEXT, "a"), (MATCH, "b"), (CONTEXT, "def f"), (SEPARATOR, "--"), (MATCH, "c")]),
        "--",
        ("z.py", [(MATCH, "d")]),
    ]


def test_context_with_a_number_in_its_text_makes_no_file() -> None:
    assert files("a.py-7-x:8: y\na.py:8:fare\nb-c.py:1:z\n") == [
        ("a.py", [(CONTEXT, "x:8: y"), (MATCH, "fare")]),
        ("b-c.py", [(MATCH, "z")]),
    ]


def test_a_heading_names_the_file_of_the_numbers_below_it() -> None:
    assert files("src/a.py\n3:x\n4-y\n\nsrc/b.py\n1:z\n") == [
        ("src/a.py", [(MATCH, "x"), (CONTEXT, "y")]),
        "",
        ("src/b.py", [(MATCH, "z")]),
    ]


def test_times_and_dates_are_no_places() -> None:
    log = "2026-01-02 10:15:00 a\n2026-01-02 10:16:00 b\n[10:15:02] c\n10:15:03 d\n"
    assert files(log) == log.splitlines()


def test_matches_without_numbers() -> None:
    assert files("src/a.py:x = 1\nsrc/a.py-y = 2\nsrc/b.py:z\n") == [
        ("src/a.py", [(MATCH, "x = 1"), (CONTEXT, "y = 2")]),
        ("src/b.py", [(MATCH, "z")]),
    ]


def test_the_ledger_is_kept_at_every_size() -> None:
    for many in (2, 30, 300, 5000):
        lines = [f"src/file_{n % 700}.py:{n}:use of a name in line {n}" for n in range(many)] + ["--", "", "tail"]
        items = read(lines)
        assert count_lines(shorten(items)) == len(lines)
        assert sum(len(item.rows) for item in items if isinstance(item, File)) == many
