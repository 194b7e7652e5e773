from __future__ import annotations

from token_saver.text import Heads, blocks, group, paragraphs, rx, sections, table

HEADS = Heads({"failures": r"=+ FAILURES =+", "end": r"=+ .* in [\d.]+s"})


def test_sections_are_named_by_their_headings_and_lose_nothing() -> None:
    lines = ["start", "=== FAILURES ===", "boom", "=== 1 failed in 0.1s ==="]
    parts = list(sections(lines, HEADS))
    assert [part.name for part in parts] == ["", "failures", "end"]
    assert [line for part in parts for line in part.lines] == lines


def test_blocks_begin_where_the_pattern_matches() -> None:
    assert list(blocks(["x", "* a", "  1", "* b"], rx(r"\* "))) == [["x"], ["* a", "  1"], ["* b"]]


def test_paragraphs_keep_their_blank_line() -> None:
    assert list(paragraphs(["a", "", "b", "c"])) == [["a", ""], ["b", "c"]]


def test_group_keeps_the_order_of_first_sight() -> None:
    assert group(["b1", "a1", "b2"], lambda item: item[0]) == {"b": ["b1", "b2"], "a": ["a1"]}


def test_a_table_is_read_by_its_header() -> None:
    lines = [
        "CONTAINER ID   NAMES       STATUS",
        "0a1b2c3d4e5f   web-1       Up 2 hours",
        "1a1b2c3d4e5f               Exited (1)",
    ]
    rows = table(lines)
    assert [row.get("CONTAINER ID") for row in rows] == ["0a1b2c3d4e5f", "1a1b2c3d4e5f"]
    assert [row.get("NAMES") for row in rows] == ["web-1", ""]
    assert rows[1].get("STATUS") == "Exited (1)" and rows[1].line == lines[2] and rows[0].get("NO SUCH") == ""


def test_a_right_aligned_cell_belongs_to_its_column() -> None:
    rows = table(["NAME      SIZE  KIND", "a     12345678  file", "b            1  dir"])
    assert [row.get("SIZE") for row in rows] == ["12345678", "1"]


def test_an_empty_table_has_no_rows() -> None:
    assert table([]) == [] and table(["NAME  AGE"]) == []
