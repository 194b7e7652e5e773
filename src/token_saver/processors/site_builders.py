"""Documentation builders: sphinx, mkdocs, latex."""

from __future__ import annotations

from token_saver.processors._linter import Linter
from token_saver.text.folders import Rules


class SiteBuilderProcessor(Linter):
    """Warnings and errors with their place, totals and where the result is; steps that went through are counted."""

    name = "site_builder"
    priority = 40
    commands = (
        *("sphinx-build", "sphinx-autobuild", "mkdocs", "jupyter-book", "hugo", "jekyll"),
        *("pdflatex", "xelatex", "lualatex", "latexmk"),
    )
    whole = 3

    quiet = Rules(
        {
            r"(?:reading sources|writing output|copying (?:static|images|downloadable|assets)|loading intersphinx|"
            r"highlighting module code|preparing documents|looking for now-outdated|pickling environment|generating indices|"
            r"dumping (?:search|object)|updating environment|checking consistency|making output directory|loading pickled)"
            r"[^:]*(?:done|\]|\.\.\.|\.\.\. *)?[^:]*$": "step",
            r"\(?/usr/share/tex\S+\)*|\(?\./\S+\.(?:aux|toc|out)\)?|\[\d+\](?: \[\d+\])*\s*$|LaTeX2e|L3 programming|"
            r"Document Class:": "line of TeX",
            r"INFO +-  (?:Cleaning site|Building documentation|Documentation built)": "step",
        }
    )
