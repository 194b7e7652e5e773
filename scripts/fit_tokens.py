"""Fit the linear estimate of tokens to our own recordings and write its weights to ``src/token_saver/tokens_fitted.py``.

Exact counts come from rs-bpe. The error is printed for recordings that the weights were not fitted to: each family is
estimated by weights of all others (``held out``), and where a folder of further captures lies beside the repository, those are
estimated by the weights that are written. ``--check`` prints and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from token_saver import tokens, tokens_fitted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "src" / "token_saver" / "tokens_fitted.py"
ENCODING = "o200k_base"
LEAST_CHARS = 200
"""A shorter text says little about an error in percent."""
ROUNDS = 30
RIDGE = 1e-3
NAMES = tuple(tokens_fitted.WEIGHTS)


class Sample(NamedTuple):
    """One text: its family, its features in the order of ``NAMES``, its characters and its exact tokens."""

    family: str
    features: tuple[int, ...]
    chars: int
    exact: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit, print the errors, write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only print")
    options = parser.parse_args(arguments)
    samples = list(own_samples())
    weights = fit(samples)
    print_errors("own recordings", samples, [("fitted to them", weights), *_ratios()])
    print_row("held out", held_out(samples))
    other = list(other_samples())
    if other:
        print_errors("captures of others", other, [("linear", weights), *_ratios()])
    if not options.check:
        TARGET.write_text(source(weights), encoding="utf-8")
    return 0


def own_samples() -> Iterable[Sample]:
    """Yield a sample for each recording under ``tests/fixtures``."""
    counter = tokens.ExactCount(ENCODING)
    for path in sorted((ROOT / "tests" / "fixtures").glob("*/*/capture.txt")):
        yield from sample(path.parts[-3], path.read_bytes(), counter)


def other_samples() -> Iterable[Sample]:
    """Yield a sample for each capture beside the repository; none where there are none."""
    folder = ROOT.parent / "shared" / "captures"
    index = folder / "index.json"
    counter = tokens.ExactCount(ENCODING)
    for entry in json.loads(index.read_text(encoding="utf-8")) if index.is_file() else ():
        yield from sample(entry["family"], (folder / entry["input"]).read_bytes()[: 1 << 20], counter)


def sample(family: str, raw: bytes, counter: tokens.ExactCount) -> Iterable[Sample]:
    """Yield what is known of *raw*; nothing when it is too short."""
    text = raw.decode("utf-8", "replace")
    if len(text) >= LEAST_CHARS:
        counts = tokens.features(text)
        yield Sample(family, tuple(counts[name] for name in NAMES), len(text), counter.count(text))


def fit(samples: Sequence[Sample]) -> dict[str, float]:
    """Return the weights with the least absolute relative errors, none below 0 (least squares, reweighted)."""
    importance = [1.0] * len(samples)
    weights = [0.0] * len(NAMES)
    for _ in range(ROUNDS):
        weights = _non_negative(samples, importance)
        errors = [abs(_dot(weights, one.features) / one.exact - 1) for one in samples]
        importance = [1 / max(error, 0.02) for error in errors]
    return {name: round(weight, 3) for name, weight in zip(NAMES, weights, strict=True)}


def held_out(samples: Sequence[Sample]) -> list[float]:
    """Return the relative error of each sample by weights that were fitted without its family."""
    errors = []
    for family in sorted({one.family for one in samples}):
        weights = list(fit([one for one in samples if one.family != family]).values())
        errors += [_dot(weights, one.features) / one.exact - 1 for one in samples if one.family == family]
    return errors


def print_errors(title: str, samples: Sequence[Sample], estimates: list[tuple[str, dict[str, float] | float]]) -> None:
    """Print the errors of weights, or of characters for each token, on *samples*."""
    print(f"{title}: {len(samples)} texts, error in % (median / 9 of 10 below / worst; sum of all)")
    for name, how in estimates:
        guess = _by_ratio(how) if isinstance(how, float) else _by_weights(how)
        print_row(name, [guess(one) / one.exact - 1 for one in samples])
        total = sum(map(guess, samples)) / sum(one.exact for one in samples) - 1
        print(f"    {'':16} {100 * total:+.1f} in sum")


def print_row(name: str, errors: Sequence[float]) -> None:
    """Print the spread of relative errors."""
    sizes = sorted(100 * abs(error) for error in errors)
    print(f"    {name:16} {statistics.median(sizes):.1f} / {sizes[int(len(sizes) * 0.9)]:.1f} / {sizes[-1]:.1f}")


def source(weights: dict[str, float]) -> str:
    """Return the module that holds the weights."""
    rows = "".join(f'    "{name}": {weight},\n' for name, weight in weights.items())
    return (
        '"""Weights of the linear estimate of tokens, written by ``scripts/fit_tokens.py``."""\n\n'
        "from __future__ import annotations\n\n"
        f'FITTED = "{datetime.now(UTC).date().isoformat()}"\n'
        f'ENCODING = "{ENCODING}"\n'
        f"WEIGHTS = {{\n{rows}}}\n"
    )


def _ratios() -> list[tuple[str, dict[str, float] | float]]:
    return [("characters/4", 4.0), ("characters/3.3", 3.3)]


def _by_ratio(ratio: float) -> Callable[[Sample], float]:
    return lambda one: one.chars / ratio


def _by_weights(weights: dict[str, float]) -> Callable[[Sample], float]:
    return lambda one: _dot(list(weights.values()), one.features)


def _dot(weights: Sequence[float], features: Sequence[int]) -> float:
    return sum(weight * feature for weight, feature in zip(weights, features, strict=True))


def _non_negative(samples: Sequence[Sample], importance: Sequence[float]) -> list[float]:
    """Solve weighted least squares of relative errors; a feature whose weight comes out below 0 is taken out."""
    used = list(range(len(NAMES)))
    while True:
        solved = _solve(*_normal(samples, importance, used))
        worst = min(range(len(used)), key=solved.__getitem__)
        if solved[worst] >= 0:
            by_index = dict(zip(used, solved, strict=True))
            return [by_index.get(index, 0.0) for index in range(len(NAMES))]
        del used[worst]


def _normal(samples: Sequence[Sample], importance: Sequence[float], used: Sequence[int]) -> tuple[list[list[float]], list[float]]:
    """Return the normal equations of ``sum(importance * (features @ weights / exact - 1) ** 2)``."""
    left = [[RIDGE * (row == column) for column in used] for row in used]
    right = [0.0] * len(used)
    for one, weight in zip(samples, importance, strict=True):
        shares = [one.features[index] / one.exact for index in used]
        for row, share in enumerate(shares):
            if share:
                right[row] += weight * share
                for column, other in enumerate(shares):
                    left[row][column] += weight * share * other
    return left, right


def _solve(left: list[list[float]], right: list[float]) -> list[float]:
    """Gaussian elimination with partial pivoting."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(left, right, strict=True)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda index: abs(rows[index][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        for row in range(column + 1, size):
            factor = rows[row][column] / rows[column][column]
            rows[row] = [value - factor * above for value, above in zip(rows[row], rows[column], strict=True)]
    solved = [0.0] * size
    for row in reversed(range(size)):
        known = sum(rows[row][column] * solved[column] for column in range(row + 1, size))
        solved[row] = (rows[row][size] - known) / rows[row][row]
    return solved


if __name__ == "__main__":
    sys.exit(main())
