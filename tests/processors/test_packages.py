"""What holds for all package managers: the shared recordings, the budget by size, and what they share in code."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest
from tests.recorded import Recorded, shared_captures

from token_saver.engine import CompressionEngine
from token_saver.processor import Capture, as_command
from token_saver.processors._packages import PackageManager, bounded, data_room, gathered
from token_saver.registry import Registry
from token_saver.text import Fold, Rules
from token_saver.text.pieces import count_lines, render

if TYPE_CHECKING:
    from token_saver.text.pieces import Piece

FAMILIES = frozenset(
    (
        *("apt", "brew", "bundler", "composer", "conda", "dnf", "dpkg", "nix", "npm", "pacman", "pip", "pkg", "pnpm", "poetry"),
        *("rpm", "uv", "yarn", "yum", "zypper"),
    )
)
RECORDED = [one for folder in ("captures", "public") for one in shared_captures(folder) if one.family in FAMILIES]
# Percent left by size in characters: what stays of lists of names and versions is most of a large one.
SIZES = {1200: 90, 8000: 65, 40_000: 35, 10**9: 8}

each = pytest.mark.parametrize("recorded", RECORDED, ids=str)


@each
def test_what_an_agent_needs_is_kept(recorded: Recorded, engine: CompressionEngine) -> None:
    for status in (recorded.exit_code, 0, 1, None):
        result = engine.run(recorded.command, recorded.text, status)
        assert result.fault == ""
        assert recorded.lost(result.output) == []
        assert len(result.output) <= len(recorded.text)


def test_what_is_left_fits_the_budget_for_its_size(engine: CompressionEngine) -> None:
    if not RECORDED:
        pytest.skip("the shared captures are not here")
    sums: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for recorded in RECORDED:
        size = next(size for size in SIZES if len(recorded.text) < size)
        sums[size][0] += len(recorded.text)
        sums[size][1] += len(engine.compress(recorded.command, recorded.text, recorded.exit_code)[0])
    assert {size: after * 100 // before for size, (before, after) in sums.items() if after * 100 > SIZES[size] * before} == {}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("pip3 install -r requirements.txt", "pip"),
        ("python -m pip list", "pip"),
        ("uv pip install flask", "uv"),
        ("sudo apt-get -y install tree", "apt"),
        ("npm ci && npm run build", "npm"),
        ("yarn workspace app add chalk", "yarn"),
        ("bundle update rails", "gem"),
        ("mamba env create -f environment.yml", "conda"),
        ("nix-shell -p jq", "nix"),
        ("cat pip/requirements.txt", None),
        ("grep -rn npm docs", None),
        ("ls node_modules/yarn", None),
    ],
)
def test_a_command_goes_to_its_manager(engine: CompressionEngine, command: str, name: str | None) -> None:
    chosen = Registry(engine.registry).select(as_command(command))
    assert (chosen.name if isinstance(chosen, PackageManager) else None) == name


def test_noise_in_several_places_is_counted_once_where_it_stood_first() -> None:
    pieces: list[Piece] = [
        "first",
        Fold(["noise of the first kind"], "line of noise", known=True),
        "second",
        Fold(["noise of another kind"], "line of noise", known=True),
    ]
    together = gathered([*pieces, Fold(["noise again"], "line of noise", known=True)])
    assert render(together) == ["first", "[… 3 lines of noise]", "second"]
    assert count_lines(together) == 5


def test_noise_too_short_for_a_marker_stays_where_it_was() -> None:
    pieces: list[Piece] = ["first", Fold(["a"], "line of noise", known=True), "second", Fold(["b"], "line of noise", known=True)]
    assert render(gathered(pieces)) == ["first", "a", "second", "b"]


def test_more_than_anyone_reads_is_cut_by_value_and_accounted_for() -> None:
    lines = [f"step {n}: wrote part {n} of the thing that takes long" for n in range(2000)]
    lines[1000] = "error: the planted failure"
    pieces = bounded(lines, 100_000)
    assert count_lines(pieces) == 2000
    assert "error: the planted failure" in render(pieces)
    assert sum(len(line) + 1 for line in render(pieces)) < 20_000


def test_neighbouring_retries_are_counted() -> None:
    class Tool(PackageManager):
        """Nothing."""

        name, noise = "tool", Rules({r"noise": "line of noise"})

    lines = [f"WARNING: Retrying after 'host {n}' refused the connection, {n} left" for n in (4, 3, 2, 1)]
    capture = Capture(as_command("tool"), "\n".join([*lines, "ERROR: gave up"]), 1)
    assert render(Tool().pieces(capture)) == [lines[0], "[… 3 retries]", "ERROR: gave up"]


def test_the_room_for_a_document_grows_slower_than_the_document() -> None:
    sizes = (100, 1200, 3000, 8000, 20_000, 40_000, 400_000, 4_000_000)
    rooms = [data_room(size) for size in sizes]
    assert rooms == sorted(rooms) and rooms[:2] == [100, 1200] and rooms[-1] == rooms[-2]


@pytest.mark.parametrize("command", ["npm audit --json", "yarn npm audit --json", "conda list --json", "composer show -f json"])
def test_a_document_stays_one(engine: CompressionEngine, command: str) -> None:
    text = json.dumps({"packages": [{"name": f"p{n}", "version": f"{n}.0", "about": "words " * 40} for n in range(80)]}, indent=2)
    result, _, _ = engine.compress(command, text, exit_code=0)
    assert json.loads(result) and len(result) < len(text) // 2
    assert all(f'"p{n}"' in result for n in range(80))
