"""XML stays XML: alike elements become a comment, elements with others in them and reports of failure stay."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from token_saver import compress
from token_saver.text.pieces import count_lines, render
from token_saver.text.xml_elements import read_xml

WORDS = st.text("ab -<>&\"'é/=", max_size=20)


def report(count: int) -> str:
    rows = [f'  <testcase name="t{number}" time="0.0{number % 10}"/>' for number in range(count)]
    rows[count // 2] = f'  <testcase name="t{count // 2}">\n    <failure>boom</failure>\n  </testcase>'
    return '<?xml version="1.0"?>\n<testsuites>\n' + "\n".join(rows) + "\n</testsuites>\n"


def test_alike_elements_are_counted_and_the_failure_stays() -> None:
    text = report(300)
    output = compress("curl -s https://ci.example/report.xml", text, exit_code=0).output
    assert len(output) < len(text) / 8
    cases = ElementTree.fromstring(output).findall("testcase")
    assert [case.get("name") for case in cases] == ["t0", "t1", "t150", "t151", "t152"]
    assert cases[2].findtext("failure") == "boom"
    assert "<!-- [… 148 similar elements: t2, t3, " in output


def test_a_file_that_is_read_stays_to_the_byte() -> None:
    assert compress("cat report.xml", report(300), exit_code=0).output == report(300)


@pytest.mark.parametrize(
    "text",
    [
        "<html>\n" + "<li a='1'>x</li>\n" * 300 + "</html>",
        "<a>\n" + "<b c='1'/>\n" * 300,
        "<stdin>:1:1: error: x\n" * 200 + "<a>",
    ],
)
def test_what_is_no_document_is_none(text: str) -> None:
    assert read_xml(text.splitlines()) is None


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), WORDS, WORDS), max_size=40))
@settings(max_examples=100, deadline=None)
def test_what_parses_before_parses_after_and_holds_nothing_new(rows: list[tuple[str, str, str]]) -> None:
    elements = [f"  <{tag} name={quoteattr(name)}>{escape(text)}</{tag}>" for tag, name, text in rows * 4]
    lines = ["<root>", *elements, "</root>"]
    pieces = read_xml(lines)
    assert pieces is not None and count_lines(pieces) == len(lines)
    read = ElementTree.fromstring("\n".join(render(pieces)))
    before = {(child.tag, child.get("name"), child.text) for child in ElementTree.fromstring("\n".join(lines))}
    assert {(child.tag, child.get("name"), child.text) for child in read} <= before
    assert bool(len(read)) == bool(rows)
