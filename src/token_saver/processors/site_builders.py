"""Documentation builders: sphinx, mkdocs, latex."""

from __future__ import annotations

from token_saver.processors._frames import own_frames
from token_saver.processors._linter import Linter
from token_saver.text.findings import ERROR, Finding
from token_saver.text.folders import Rules
from token_saver.text.located import located

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from token_saver.text.findings import Item


class SiteBuilderProcessor(Linter):
    """Warnings and errors with their place, totals and where the result is; steps and frames of libraries are counted."""

    name = "site_builder"
    priority = 40
    commands = (
        *("sphinx-build", "sphinx-autobuild", "sphinx-apidoc", "mkdocs", "jupyter-book", "hugo", "jekyll", "zola", "mdbook"),
        *("pdflatex", "xelatex", "lualatex", "latexmk", "tectonic", "doxygen"),
    )
    whole = 3

    quiet = Rules(
        {
            r"(?:reading sources|writing output|copying (?:static|images|downloadable|assets|extra)|"
            r"loading (?:intersphinx|translations)|highlighting module code|preparing documents|looking for now-outdated|"
            r"pickling environment|generating indices|"
            r"dumping (?:search|object)|updating environment|checking consistency|making output directory|loading pickled|"
            r"building \[|writing additional pages)[^:]*$|building \[\w+\]: |updating environment: |"
            r"copying \S+ files: done|Writing evaluated template result to ": "step",
            r"\(?/usr/share/tex\S+\)*|\(?\./\S+\.(?:aux|toc|out)\)?|\[\d+\](?: \[\d+\])*\s*$|LaTeX2e|L3 programming|"
            r"Document Class:|This is \w*TeX|entering extended mode|restricted \\write18": "line of TeX",
            r"INFO +-  (?:Cleaning site|Building documentation|Documentation built)": "step",
            r"\* (?:Platform|Python version|Sphinx version|Docutils version|Jinja2 version|Pygments version): ": "version",
            r"(?:To report this error to the developers|Please also report this if it was a user error)": "line of advice",
            r"(?:Parsing|Generating|Preprocessing|Building|Computing|Resolving|Flushing|Adding|Freeing|Sorting|Reading|Creating) "
            r"[\w/. ]+\.\.\.": "step",
        }
    )

    def items(self, lines: Sequence[str]) -> list[Item]:
        items: list[Item] = []
        rest: list[str] = []
        for item in located(lines, ranked=self.ranked):
            if isinstance(item, str) and not item.startswith("! "):
                rest.append(item)
                continue
            items += own_frames(rest)
            rest = []
            # TeX begins an error with an exclamation mark.
            items.append(Finding([item], text=item, rank=ERROR) if isinstance(item, str) else item)
        return [*items, *own_frames(rest)]
