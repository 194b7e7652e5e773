"""Findings: which are shown, and how the others stay named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from token_saver.text.findings import ERROR, STYLE, Finding, Heading, braced, choose, report
from token_saver.text.pieces import Fold, count_lines, render

if TYPE_CHECKING:
    from token_saver.text.findings import Item


def _lines(rule: str, count: int, rank: int = 1, path: str = "a.py") -> list[Finding]:
    numbers = range(1, count + 1)
    return [Finding([f"{path}:{n}:1: {rule} said of {n}"], path, f"{n}:1", rule, f"said of {n}", rank) for n in numbers]


def test_everything_stays_while_there_is_room() -> None:
    found = _lines("E501", 5)
    assert render(choose(found, 10_000)) == [finding.lines[0] for finding in found]


def test_the_rest_of_a_rule_is_counted_with_every_place() -> None:
    shown = render(choose(_lines("E501", 60, STYLE), 1200))
    assert shown[0] == "a.py:1:1: E501 said of 1"
    assert "E501 findings: a.py:" in shown[-1]
    places = set(" ".join(shown).replace(":", ",").replace("]", ",").split(","))
    assert [n for n in range(1, 61) if str(n) not in places] == []


def test_every_file_stays_named_when_places_take_too_much() -> None:
    found = [finding for n in range(300) for finding in _lines("W1", 3, STYLE, f"pkg/module_{n}.py")]
    told = " ".join(render(choose(found, 3000)))
    assert [n for n in range(300) if f"module_{n}" not in told] == []


def test_an_error_is_shown_before_a_hundred_matters_of_style() -> None:
    found = [*_lines("W291", 100, STYLE), *_lines("F821", 3, ERROR, "late.py")]
    shown = render(choose(found, 600))
    assert [n for n in (1, 2, 3) if f"late.py:{n}:1: F821 said of {n}" not in shown] == []


def test_each_rule_is_seen_once_whatever_the_budget() -> None:
    found = [finding for n in range(9) for finding in _lines(f"R{n}", 4)]
    shown = "\n".join(render(choose(found, 250)))
    assert [n for n in range(9) if f" R{n} said" not in shown] == []


def test_a_new_message_comes_before_the_same_again() -> None:
    same = [Finding([f"a.py:{n}: no type [arg]"], "a.py", str(n), "arg", "no type") for n in range(1, 50)]
    other = Finding(["a.py:77: quite another matter [arg]"], "a.py", "77", "arg", "quite another matter")
    shown = render(choose([*same, other, *same], 300))
    assert "a.py:77: quite another matter [arg]" in shown


def test_a_heading_is_shown_over_what_is_shown_of_its_file() -> None:
    items: list[Item] = [
        Heading(["a.js"]),
        *_lines("semi", 1, path="a.js"),
        Heading(["b.js"]),
        *_lines("semi", 40, STYLE, "b.js"),
    ]
    shown = render(choose(items, 200))
    assert shown[0] == "a.js"
    assert any("b.js" in line for line in shown)


def test_context_of_the_first_finding_stays_and_the_others_lose_theirs() -> None:
    found = [Finding([f"a.c:{n}: bad", "   source", "   ^"], "a.c", str(n), "bad", "bad") for n in range(1, 40)]
    pieces = list(choose(found, 400, whole=1))
    assert count_lines(pieces) == 39 * 3
    shown = render(pieces)
    assert shown[:3] == ["a.c:1: bad", "   source", "   ^"]
    assert shown.count("   source") == 1


def test_lines_that_are_no_findings_are_cut_when_they_are_too_many() -> None:
    talk = [f"step {n} of something that nobody knows, told at some length" for n in range(4000)]
    talk[2000] = "error: the one that counts"
    shown = render(report(talk))
    assert sum(map(len, shown)) < 20_000
    assert "error: the one that counts" in shown


def test_a_failed_test_keeps_its_name_when_its_report_has_no_room() -> None:
    reports = [[f"FAIL test_{n}", *[f"  because of {n} in line {i}" for i in range(20)]] for n in range(60)]
    found = [Finding(lines, text=lines[1], rank=ERROR, picked=range(21)) for lines in reports]
    shown = "\n".join(render(choose(found, 3000, whole=0)))
    assert [n for n in range(60) if f"FAIL test_{n}\n" not in shown + "\n"] == []


def test_names_share_their_folder() -> None:
    assert braced(["src/a.py", "src/b.py", "README.md", "src/c.txt"]) == "src/{a.py,b.py,c.txt}, README.md"
    assert braced(["src/a.py", "src/b.py"]) == "src/{a,b}.py"


def test_folds_of_findings_are_told_and_context_is_not() -> None:
    found = [Finding([f"a.c:{n}: bad", "   source"], "a.c", str(n), "bad", "bad") for n in range(1, 90)]
    told = {piece.noun: piece.told for piece in choose(found, 300) if isinstance(piece, Fold)}
    assert told == {"line of context": False, "bad finding": True}


def test_a_line_that_nobody_reads_to_its_end_loses_its_middle() -> None:
    (shown,) = render(report(["start " + "x" * 90_000 + " end"]))
    assert len(shown) < 3000
    assert shown.startswith("start ")
    assert shown.endswith(" end")
    assert "chars]…" in shown
