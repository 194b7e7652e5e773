"""What every test may ask for, and `--update-goldens`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # so that tests can import each other's helpers by name

from token_saver.engine import CompressionEngine


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="write what the engine makes of each case into its expected.txt, unless something would be lost",
    )


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CompressionEngine]:
    """An engine with all families and the default settings, whatever the machine's user has configured."""
    home = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("TOKEN_SAVER")]:
            patch.delenv(name)
        for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
            patch.setenv(name, home)
        patch.chdir(home)
        made = CompressionEngine()
    yield made
