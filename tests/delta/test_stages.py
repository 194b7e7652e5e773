"""Five runs with the real tools: baseline, repeat, edit, repeat, fixed."""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Iterator

import pytest
from scripts.delta_stages.projects import PROJECTS, Project
from scripts.delta_stages.run import EDITED, FIXED, ORDINARY, RECALL, Sequence, Shown

MOST = {"pytest -v": 0.58, "ruff": 0.835, "mypy": 0.6}
"""The part of the ordinary characters that may be left: a saving of 42 % of pytest and 16.5 % of Ruff is to be beaten."""
STATUSES = [1, 1, 1, 1, 0]

Runs = dict[str, list[Shown]]


TOOLS = [project for project in PROJECTS if project.tool in MOST]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pathlib.Path]:
    """A folder for all runs, in which the tools of this interpreter are found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]))
        yield tmp_path_factory.mktemp("stages")


@pytest.fixture(scope="module", params=TOOLS, ids=[project.tool for project in TOOLS])
def project(request: pytest.FixtureRequest) -> Project:
    found: Project = request.param
    return found


@pytest.fixture(scope="module")
def sequence(project: Project, folder: pathlib.Path) -> Sequence:
    return Sequence(project, RECALL, folder)


@pytest.fixture(scope="module")
def runs(project: Project, sequence: Sequence, folder: pathlib.Path) -> Runs:
    """What the five runs showed, by the way of showing them."""
    return {RECALL: sequence.run(), ORDINARY: Sequence(project, ORDINARY, folder).run()}


def test_the_statuses_are_those_of_the_tool(runs: Runs) -> None:
    assert [run.status for run in runs[RECALL]] == [run.status for run in runs[ORDINARY]] == STATUSES


def test_every_new_and_changed_detail_is_there_and_nothing_is_lost_by_name(project: Project, runs: Runs) -> None:
    baseline, repeat, edit, again, fixed = (run.text for run in runs[RECALL])
    for text in project.fresh:
        assert text not in baseline and text in edit
    for name in project.same:
        assert all(name in text for text in (baseline, repeat, edit, again))
        assert name not in fixed
    assert "since run 1: nothing new" in repeat and "since run 3: nothing new" in again and "since run 2: " in edit


def test_what_is_mended_is_called_passing_only_where_it_was_seen_to_pass(project: Project, runs: Runs) -> None:
    edit = runs[RECALL][EDITED].text
    for name in project.mended:
        words = "now passing: " if name in project.passing else "no longer reported: "
        assert any(line.startswith(words) and name.rpartition("::")[2] in line for line in edit.split("\n"))
    if not project.passing:
        assert "now passing" not in "".join(run.text for run in runs[RECALL])


def test_fewer_characters_are_shown_than_of_ordinary_results(project: Project, runs: Runs) -> None:
    shown, ordinary = (sum(len(run.text) for run in runs[way]) for way in (RECALL, ORDINARY))
    print(f"{project.tool}: {ordinary} → {shown} characters, {1 - shown / ordinary:.1%} less")
    assert shown < MOST[project.tool] * ordinary


def test_the_whole_output_comes_back(project: Project, sequence: Sequence, runs: Runs) -> None:
    whole = sequence.recalled(runs[RECALL][EDITED])
    assert all(text in whole for text in (*project.fresh, *project.same))
    part = sequence.recalled(runs[RECALL][EDITED], "--grep", project.same[0])
    assert part and len(part) < len(whole)
    assert all(line.partition(":")[2] in whole for line in part.splitlines())
    assert runs[RECALL][FIXED].status == 0
