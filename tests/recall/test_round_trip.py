"""What is kept of every recording is its whole masked output, to the byte."""

from __future__ import annotations

import json
import pathlib
import re

import pytest
from tests.recorded import Recorded, own_cases

from token_saver.engine import CompressionEngine
from token_saver.hosts.retained import Retention
from token_saver.kept import Kept
from token_saver.recall import outputs, selection
from token_saver.redaction import mask
from token_saver.settings_keys import KEYS
from token_saver.text.markers import OPEN

SETTINGS = {name: key.default for name, key in KEYS.items()} | {"recall_enabled": True, "recall_max_outputs": 10_000}
FAMILIES: dict[str, list[Recorded]] = {}
for case in own_cases():
    FAMILIES.setdefault(case.family, []).append(case)
OFFER = re.compile(r"\n(?:# |<!-- )?\[… \d+ lines? in full: .* recall (\d+)\](?: -->)?\n\Z")
FEWEST = 0.5
"""The part of the families of which something is left out, at least, in some recording."""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    return outputs.opened(SETTINGS, str(tmp_path_factory.mktemp("data")))


def answered(engine: CompressionEngine, case: Recorded, kept: Kept) -> str:
    """Return what a session is shown of a recording."""
    folder = str(pathlib.Path(kept.path).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOKEN_SAVER_DATA_DIR", folder)
        retention = Retention(SETTINGS, "", folder, 0.0)
        result = engine.run(case.command, case.text, case.exit_code)
        shown = retention.answer(engine, case.command, case.text, case.exit_code, result)
    return result.output if shown is None else shown


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_the_whole_masked_output_comes_back(engine: CompressionEngine, kept: Kept, family: str) -> None:
    for case in FAMILIES[family]:
        shown = answered(engine, case, kept)
        raw = mask(case.text)[0]
        offer = OFFER.search(shown)
        if offer is None:
            assert shown == raw or OPEN not in shown or _is_document(raw), case.name
            continue
        record = kept.read(int(offer[1]))
        assert record is not None, case.name
        assert outputs.restored(record).encode("utf-8", "surrogateescape") == raw.encode("utf-8", "surrogateescape"), case.name
        assert len(shown) < len(raw), case.name
        assert outputs.described(record)["lines"] == outputs.count_lines(raw)
        assert selection.lines(outputs.restored(record), "1-") == raw


def _is_document(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def test_something_is_offered_in_most_families(engine: CompressionEngine, kept: Kept) -> None:
    offered = [name for name, cases in FAMILIES.items() if any(OFFER.search(answered(engine, case, kept)) for case in cases)]
    assert len(offered) > FEWEST * len(FAMILIES)
