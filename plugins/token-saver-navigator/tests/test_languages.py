"""Every language against gold that was written by hand: definitions, docstrings, callers with confidence, references."""

from __future__ import annotations

import pathlib
import shutil
import tomllib
from typing import Any

import pytest
from token_saver_navigator import languages
from token_saver_navigator.navigator import Navigator
from token_saver_navigator.parsing import parse

FIXTURES = pathlib.Path(__file__).parent / "languages"
NAMES = sorted(folder.name for folder in FIXTURES.iterdir())


class Case:
    """The navigator over a copy of a fixture folder, and its gold."""

    def __init__(self, name: str, folder: pathlib.Path) -> None:
        shutil.copytree(FIXTURES / name, folder)
        self.gold: dict[str, Any] = tomllib.loads((folder / "gold.toml").read_text())
        (folder / "gold.toml").unlink()
        self.navigator = Navigator(str(folder))


@pytest.fixture(params=NAMES)
def case(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Case:
    return Case(request.param, tmp_path / request.param)


def test_definitions_docstrings_and_whole_parses(case: Case) -> None:
    with case.navigator as navigator:
        navigator.update()
        rows = navigator.index.db.execute(
            "SELECT path || ':' || line || '-' || end_line || ' ' || kind || ' ' || qualified FROM symbol"
            " JOIN file ON file.id = symbol.file ORDER BY path, position"
        )
        assert [row[0] for row in rows] == case.gold["definitions"]
        for name, doc in case.gold["docs"].items():
            assert navigator.symbol(name).data["definitions"][0]["doc"] == doc
        assert not navigator.index.coverage().failed and not navigator.index.coverage().partial


def test_callers_and_their_confidence(case: Case) -> None:
    with case.navigator as navigator:
        for name, expected in case.gold["callers"].items():
            rows = navigator.callers(name).data["callers"]
            found = {f"{row['path']}:{line} {row['caller']} {row['confidence']}" for row in rows for line in row["lines"]}
            assert sorted(found) == sorted(expected), name


def test_references_are_in_code_alone(case: Case) -> None:
    with case.navigator as navigator:
        for name, expected in case.gold["references"].items():
            rows = navigator.references(name).data["references"]
            assert [f"{row['path']}:{row['line']}" for row in rows] == expected, name


def test_every_language_has_a_fixture() -> None:
    assert {language.name for language in languages.LANGUAGES} - {"tsx"} == set(NAMES)


@pytest.mark.parametrize("name", languages.BY_NAME)
def test_every_query_fits_its_grammar(name: str) -> None:
    assert languages.load(name).reason == ""


def test_a_query_that_does_not_fit_gives_way_to_the_tags_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    languages.load.cache_clear()
    monkeypatch.setattr(languages, "query_text", lambda name: "(no_such_node) @definition.function")
    try:
        parsed = parse(b"package a\n\nfunc F() {}\n", "go")
        assert [symbol.name for symbol in parsed.symbols] == ["F"]
        assert parsed.state == "partial" and "tags alone" in parsed.reason
        assert parse(b"f() { :; }\n", "shell").state == "failed"
        assert "no parser" in parse(b"f() { :; }\n", "shell").reason
    finally:
        languages.load.cache_clear()
