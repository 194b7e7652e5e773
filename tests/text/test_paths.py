"""Lists of names: nothing is lost but what a marker counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from token_saver.text.paths import WHOLE, by_folder, kinds, listing
from token_saver.text.pieces import Fold, Recast, count_lines, render

if TYPE_CHECKING:
    from token_saver.text.pieces import Piece


def lines_of(pieces: Iterable[Piece]) -> list[str]:
    return sorted(line for piece in pieces for line in (piece.lines if isinstance(piece, (Fold, Recast)) else [piece]))


def test_kinds_counts_extensions_and_calls_the_rest_others() -> None:
    assert kinds(["a.py", "b.py", "c.md", "Makefile", ".gitignore"]) == "2 .py, 1 .md, 2 others"
    assert kinds(["lib.so.7", "libz.so -> libz.so.1", "README"]) == ""
    assert kinds(["a.py*", "b.py@"]) == "2 .py"


def test_a_folder_goes_with_what_lies_in_it() -> None:
    (folder,) = by_folder(["src", "src/a", "src/a/x.py", "src/a/y.py"])
    assert (folder.title, folder.own, folder.names) == ("src/a/", ["src", "src/a"], ["x.py", "y.py"])


def test_a_folder_with_other_names_beside_it_keeps_its_own_line() -> None:
    first, second = by_folder(["src/b", "src/a", "src/a/x.py"])
    assert (first.title, first.names) == ("src/", ["b"]) and (second.own, second.names) == (["src/a"], ["x.py"])


def test_a_list_stays_whole_while_it_is_short() -> None:
    paths = [f"src/file_{n}.py" for n in range(100)]
    assert list(listing(paths)) == paths


def test_no_path_leaves_the_ledger_whatever_the_size() -> None:
    for folders, each in ((3, 400), (900, 3), (9000, 1), (1, 9000)):
        paths = [f"top/part_{d}/name_{n}.txt" for d in range(folders) for n in range(each)]
        pieces = list(listing(paths))
        assert count_lines(pieces) == len(paths) and lines_of(pieces) == sorted(paths)
        assert sum(map(len, render(pieces))) < max(WHOLE * 3 // 2, len("".join(paths)) // 3)


def test_names_with_blanks_and_commas_can_still_be_told_apart() -> None:
    plain = [f"a/part {n}.txt" for n in range(900)]
    assert render(listing(plain))[0].startswith("a/ part 0.txt, part 1.txt, ")
    odd = [f"a/part {n}, copy.txt" for n in range(500)]
    assert render(listing(odd))[:2] == odd[:2]
