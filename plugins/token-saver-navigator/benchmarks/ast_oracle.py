"""Compare the parser with Python's own ``ast`` over installed packages: definitions, ranges and docstrings.

``python plugins/token-saver-navigator/benchmarks/ast_oracle.py [--files N] [--show N] [FOLDER …]`` prints the agreement and
every kind of disagreement with examples. Files that ``ast`` cannot read are counted and left out.
"""

from __future__ import annotations

import argparse
import ast
import pathlib
import sysconfig
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from token_saver_navigator.parsing import parse

from token_saver.redaction import mask

COMMENTS_BELOW = "comments at the end of a body, which ast does not count to it"
COMMENT_ABOVE = "a comment above that is shown as documentation, which ast does not read"


class Row(NamedTuple):
    """One definition as both sides tell it."""

    name: str
    line: int
    end_line: int
    doc: str


class Outcome(NamedTuple):
    """What became of the files: counts, and the disagreements as (kind, path, rows of ast, rows of ours)."""

    files: int
    unreadable: int
    definitions: int
    agreed: int
    disagreements: list[tuple[str, str, Row | None, Row | None]]


def expected(tree: ast.AST, prefix: str = "") -> Iterator[Row]:
    """Yield every function and class below a node, with qualified names."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{prefix}{node.name}"
            yield Row(name, node.lineno, node.end_lineno or 0, _shown(ast.get_docstring(node) or ""))
            yield from expected(node, name + ".")
        else:
            yield from expected(node, prefix)


def _shown(doc: str) -> str:
    """Return a docstring as it is stored: without what looks like a secret, and of bounded length."""
    return mask(doc, frozenset())[0][:4000]


def found(data: bytes) -> Iterator[Row]:
    """Yield the same as our parser tells it; a comment above a definition, of which ``ast`` knows nothing, is no docstring."""
    for symbol in parse(data, "python").symbols:
        if symbol.kind in ("function", "method", "class"):
            above = data[: symbol.start].rstrip(b" \t\n").rpartition(b"\n")[2].lstrip()
            first = symbol.doc.split("\n")[0].encode()
            is_comment = above.startswith(b"#") and first not in data[symbol.start : symbol.end]
            yield Row(symbol.qualified, symbol.name_line, symbol.end_line, "" if is_comment else symbol.doc)


def kind_of(wanted: Row | None, got: Row | None, lines: list[bytes]) -> str:
    """Return in what the two differ."""
    if wanted is None or got is None:
        return "only in ours" if wanted is None else "only in ast"
    if (wanted.line, wanted.end_line) == (got.line, got.end_line):
        return "docstring" if wanted.doc else COMMENT_ABOVE
    rest = [line.strip() for line in lines[wanted.end_line : got.end_line]]
    if rest and all(not line or line.startswith(b"#") for line in rest):
        return COMMENTS_BELOW
    return "range"


def compare(paths: list[pathlib.Path]) -> Outcome:
    """Compare both sides over files."""
    unreadable = definitions = agreed = 0
    disagreements: list[tuple[str, str, Row | None, Row | None]] = []
    for path in paths:
        data = path.read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wanted = list(expected(ast.parse(data)))
        except (SyntaxError, ValueError, RecursionError):
            unreadable += 1
            continue
        lines = data.split(b"\n")
        left, right = Counter(wanted), Counter(found(data))
        definitions += len(wanted)
        agreed += sum((left & right).values())
        ours = {(row.name, row.line): row for row in (right - left)}
        for row in left - right:
            got = ours.pop((row.name, row.line), None)
            disagreements.append((kind_of(row, got, lines), str(path), row, got))
        disagreements += [("only in ours", str(path), None, row) for row in ours.values()]
    return Outcome(len(paths) - unreadable, unreadable, definitions, agreed, disagreements)


def main() -> None:
    """Print the agreement and the disagreements."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", default=[sysconfig.get_path("purelib"), sysconfig.get_path("stdlib")])
    parser.add_argument("--files", type=int, default=2500, help="how many, spread evenly (0: all)")
    parser.add_argument("--show", type=int, default=5)
    options = parser.parse_args()
    paths = sorted(
        {path for folder in options.folders for path in pathlib.Path(folder).rglob("*.py") if path.stat().st_size < 2 << 20}
    )
    outcome = compare(paths[:: max(1, len(paths) // options.files)] if options.files else paths)
    print(f"{outcome.files} files, {outcome.unreadable} that ast cannot read, {outcome.definitions} definitions")
    print(f"agreed on name, first line, last line and docstring: {outcome.agreed} ({outcome.agreed / outcome.definitions:.4%})")
    for kind, count in Counter(row[0] for row in outcome.disagreements).most_common():
        print(f"{kind}: {count}")
        for _, path, wanted, got in [row for row in outcome.disagreements if row[0] == kind][: options.show]:
            print(f"  {path}\n    ast:  {str(wanted)[:300]}\n    ours: {str(got)[:300]}")


if __name__ == "__main__":
    main()
