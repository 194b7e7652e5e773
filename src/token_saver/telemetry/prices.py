"""Two dated tables: what tokens cost, by model and cache tier, and what hosts show of an output. Each line has its source."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from token_saver.errors import InputError

_DATA = "token_saver.telemetry"
OWN = "prices.toml"
"""The user's own table, in the folder of the settings, laid over ours model by model."""


class Price(NamedTuple):
    """USD per million tokens of a model, when that was ``read``, and where."""

    model: str
    input: float
    cache_write: float
    cache_read: float
    source: str
    read: str


class Prices(NamedTuple):
    """All known models by name, and the one that is meant when none is named."""

    models: dict[str, Price]
    default: str

    def of(self, model: str = "") -> Price:
        """Return the price of *model*, the default one when it is ""; raises InputError when it is not listed."""
        name = model or self.default
        if name not in self.models:
            raise InputError(f"there is no price of {name}; known: {', '.join(sorted(self.models))}")
        return self.models[name]


def load(folder: str = "") -> Prices:
    """Return our table with the user's, in the folder of the settings, over it; raises InputError when that is no price list."""
    ours = _table(files(_DATA).joinpath(OWN).read_text(encoding="utf-8"), OWN)
    path = Path(folder, OWN) if folder else None
    own = _table(path.read_text(encoding="utf-8"), str(path)) if path is not None and path.is_file() else Prices({}, "")
    return Prices({**ours.models, **own.models}, own.default or ours.default)


def limits() -> dict[str, int]:
    """Return how many characters of one output each host shows."""
    table = tomllib.loads(files(_DATA).joinpath("limits.toml").read_text(encoding="utf-8"))
    return {host: int(row["characters"]) for host, row in table.items()}


def _table(text: str, path: str) -> Prices:
    try:
        table: dict[str, Any] = tomllib.loads(text)
        sources = table.get("sources", {})
        models = {
            name: Price(
                name,
                float(row["input"]),
                float(row["cache_write"]),
                float(row["cache_read"]),
                str(sources.get(row["source"], row["source"])),
                str(row["read"]),
            )
            for name, row in table["models"].items()
        }
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{path} is no list of prices: {error}") from error
    return Prices(models, str(table.get("default", "")))
