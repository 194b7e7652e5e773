"""What a prompt is understood to say: repeated, to be kept, or neither."""

from __future__ import annotations

import pathlib
import tomllib

import pytest
from token_saver_memory.hooks import phrases

TABLE = tomllib.loads((pathlib.Path(__file__).parent / "data_misses.toml").read_text("utf-8"))


def test_there_are_enough_sentences_of_both_kinds() -> None:
    assert len(set(TABLE["told"])) >= 30 and len(set(TABLE["not_told"])) >= 30 and len(phrases.languages()) >= 6


@pytest.mark.parametrize("sentence", TABLE["told"])
def test_a_repetition_is_noticed(sentence: str) -> None:
    assert phrases.is_miss(sentence)


@pytest.mark.parametrize("sentence", TABLE["not_told"])
def test_what_only_looks_like_one_is_not(sentence: str) -> None:
    assert not phrases.is_miss(sentence)


@pytest.mark.parametrize(
    ("prompt", "kept"),
    [
        ("always use tabs", [("convention", "always use tabs")]),
        ("Please never force-push to main. Then run it.", [("guardrail", "never force-push to main")]),
        ("Remember that the staging port is 8941", [("note", "the staging port is 8941")]),
        ("We tried caching the parser and it did not work", [("ruled_out", "We tried caching the parser and it did not work")]),
        ("We decided to drop Python 3.10", [("decision", "We decided to drop Python 3.10")]),
        ("Ne modifie jamais le fichier généré", [("guardrail", "Ne modifie jamais le fichier généré")]),
        ("Verwende immer pnpm statt npm", [("convention", "Verwende immer pnpm statt npm")]),
        ("Nunca borres las migraciones", [("guardrail", "Nunca borres las migraciones")]),
        ("记住：测试端口是8941号", [("note", "测试端口是8941号")]),
        ("绝对不要修改生成的文件", [("guardrail", "绝对不要修改生成的文件")]),
        ("絶対に生成ファイルを編集しないで", [("guardrail", "絶対に生成ファイルを編集しないで")]),
        ("never mind, go on", []),
        ("Why does this never work?", []),
        ("Do you remember the port?", []),
        ("> always use spaces\nwhat does this say", []),
        ("```\nalways use spaces\n```", []),
        ("the flag is always set here", []),
    ],
)
def test_what_is_to_be_kept(prompt: str, kept: list[tuple[str, str]]) -> None:
    assert list(phrases.wishes(prompt)) == kept
