"""The languages: which files are theirs, where their grammar is, and how their query is loaded without ever failing.

A language is a row here, a query file in ``queries/`` and a fixture folder in the tests. What the captures of a query file
mean is told in ``docs/navigator.md``.
"""

from __future__ import annotations

import functools
import importlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Query


class Language(NamedTuple):
    """One language. Names resolve only within a *family*; *packages* says what can see each other without an import."""

    name: str
    extensions: tuple[str, ...]
    grammar: str
    query: str = ""
    family: str = ""
    packages: bool = False
    indentation: bool = False

    @property
    def kin(self) -> str:
        """The name that languages share whose files call each other."""
        return self.family or self.name


def _row(name: str, extensions: str, grammar: str, **more: str | bool) -> Language:
    return Language(name, tuple(extensions.split()), grammar, **more)  # type: ignore[arg-type]


LANGUAGES = (
    _row("python", "py pyi", "tree_sitter_python:language", indentation=True),
    _row("javascript", "js jsx mjs cjs", "tree_sitter_javascript:language", family="web"),
    _row("typescript", "ts mts cts", "tree_sitter_typescript:language_typescript", family="web"),
    _row("tsx", "tsx", "tree_sitter_typescript:language_tsx", family="web"),
    _row("go", "go", "tree_sitter_go:language", packages=True),
    _row("rust", "rs", "tree_sitter_rust:language"),
    _row("java", "java", "tree_sitter_java:language", packages=True),
    _row("c", "c h", "tree_sitter_c:language", family="c"),
    _row("cpp", "cc cpp cxx hh hpp hxx", "tree_sitter_cpp:language", family="c"),
    _row("csharp", "cs", "tree_sitter_c_sharp:language", packages=True),
    _row("ruby", "rb", "tree_sitter_ruby:language"),
    _row("php", "php", "tree_sitter_php:language_php"),
    _row("shell", "sh bash", "tree_sitter_bash:language"),
)
BY_NAME = {language.name: language for language in LANGUAGES}
_BY_EXTENSION = {extension: language for language in LANGUAGES for extension in language.extensions}


class Loaded(NamedTuple):
    """A grammar with its query. *reason* says why it is less than it should be: without *query* there is no parser."""

    grammar: Grammar | None
    query: Query | None
    reason: str = ""


def language_of(path: str) -> Language | None:
    """Return the language of a file by its name, None when it is none of ours."""
    return _BY_EXTENSION.get(os.path.splitext(path)[1][1:].lower())


@functools.cache
def load(name: str) -> Loaded:
    """Return the grammar and the query of a language; a query that does not fit the grammar gives way to the grammar's tags."""
    language = BY_NAME[name]
    try:
        grammar, module = _grammar(language)
    except Exception as error:
        return Loaded(None, None, f"no parser: the grammar of {name} cannot be loaded ({type(error).__name__})")
    try:
        return Loaded(grammar, _compiled(grammar, query_text(language.query or language.name)))
    except Exception as error:
        reason = f"the query of {name} does not fit its grammar ({type(error).__name__})"
    try:
        return Loaded(grammar, _compiled(grammar, module.TAGS_QUERY), f"tags alone: {reason}")
    except Exception:
        return Loaded(grammar, None, f"no parser: {reason}")


def query_text(name: str) -> str:
    """Return the text of a query file of ours."""
    from importlib.resources import files

    return (files(__package__) / "queries" / f"{name}.scm").read_text(encoding="utf-8")


def _grammar(language: Language) -> tuple[Grammar, Any]:
    from tree_sitter import Language as Grammar

    place, _, function = language.grammar.partition(":")
    module = importlib.import_module(place)
    return Grammar(getattr(module, function)()), module


def _compiled(grammar: Grammar, text: str) -> Query:
    from tree_sitter import Query

    return Query(grammar, text)
