"""How well ``nav search`` finds what questions ask for, over packages of the development environment.

``python plugins/token-saver-navigator/benchmarks/search_quality.py [--misses]`` prints the mean reciprocal rank within ten
and the share of questions that are answered within three and ten results.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import pathlib
import shutil
import tempfile
import tomllib
from typing import NamedTuple

from token_saver_navigator.navigator import Navigator

QUESTIONS = pathlib.Path(__file__).parent / "search_questions.toml"


class Asked(NamedTuple):
    """A question with the rank of its first right answer, 0 when none is among the first ten."""

    package: str
    words: str
    rank: int
    best: list[str]


def asked(packages: dict[str, dict[str, list[str]]]) -> list[Asked]:
    """Ask every question of its package; raises LookupError for an answer that the package does not define."""
    return [row for package, questions in packages.items() for row in _asked_of(package, questions)]


def _asked_of(package: str, questions: dict[str, list[str]]) -> list[Asked]:
    spec = importlib.util.find_spec(package)
    assert spec is not None and spec.origin is not None
    with tempfile.TemporaryDirectory() as folder:
        copied = pathlib.Path(folder) / package
        shutil.copytree(pathlib.Path(spec.origin).parent, copied, ignore=shutil.ignore_patterns("__pycache__", "_vendor"))
        with Navigator(str(copied)) as navigator:
            navigator.update()
            known = [name for (name,) in navigator.index.db.execute("SELECT DISTINCT qualified FROM symbol")]
            return [_ask(navigator, package, words, right, known) for words, right in questions.items()]


def _ask(navigator: Navigator, package: str, words: str, right: list[str], known: list[str]) -> Asked:
    if not any(_is(name, right) for name in known):
        raise LookupError(f"{package} defines none of {right}")
    results = [row["qualified"] for row in navigator.search(words, limit=10).data["results"]]
    rank = next((at for at, name in enumerate(results, 1) if _is(name, right)), 0)
    return Asked(package, words, rank, results[:4])


def _is(name: str, right: list[str]) -> bool:
    return any(name == each or name.endswith("." + each) for each in right)


def figures(rows: list[Asked]) -> tuple[float, float, float]:
    """Return the mean reciprocal rank, and the recall within three and within ten."""
    ranks = [row.rank for row in rows]
    count = len(ranks)
    return (
        sum(1 / rank for rank in ranks if rank) / count,
        sum(0 < rank <= 3 for rank in ranks) / count,
        sum(map(bool, ranks)) / count,
    )


def main() -> None:
    """Print the figures, and with ``--misses`` the questions that are not answered first."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOKEN_SAVER_DATA_DIR"] = folder
        rows = asked(tomllib.loads(QUESTIONS.read_text()))
    rank, three, ten = figures(rows)
    print(f"{len(rows)} questions: MRR@10 {rank:.3f}, recall@3 {three:.3f}, recall@10 {ten:.3f}")
    for half in (0, 1):
        print("  half", half + 1, "MRR@10 {:.3f}, recall@3 {:.3f}, recall@10 {:.3f}".format(*figures(rows[half::2])))
    for row in rows:
        if options.misses and row.rank != 1:
            print(f"  {row.rank} {row.package}: {row.words} → {', '.join(row.best)}")


if __name__ == "__main__":
    main()
