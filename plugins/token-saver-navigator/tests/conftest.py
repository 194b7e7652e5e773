"""A data folder of their own for all tests, and working trees made from dictionaries."""

from __future__ import annotations

import pathlib
from collections.abc import Mapping

import pytest
from navigator_trees import Tree


@pytest.fixture(autouse=True)
def data_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Keep indexes away from the user's."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("TOKEN_SAVER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> Tree:
    """Return a function that writes files into one working tree and returns its folder."""
    root = tmp_path / "project"

    def write(files: Mapping[str, str]) -> pathlib.Path:
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return root

    return write
