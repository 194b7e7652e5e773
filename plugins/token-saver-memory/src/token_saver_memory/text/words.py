"""Words of a text: what carries meaning, what is only grammar, what denies, and what is a value."""

from __future__ import annotations

import re
import sqlite3
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOKENIZER = "porter unicode61 remove_diacritics 2"

_STOP_WORDS = """
a about after again all also always am an and any are as at be been being but by can could did do does doing for from
get got had has have he her here him his how i if in into is it its just let like make may me more most must my need now
of off on once only or other our out over own please same shall she should so some such than that the their them then
there these they this those to too under up us use used using very want was we were what when where which while who whom
why will with would you your aber alle als auch auf aus bei beim bin bis bist da damit das dass dem den der des dich die
dies diese dieser dieses dir doch du durch ein eine einem einen einer eines er es für fur gibt hab habe haben hat hatte
hier ich ihm ihn ihr ihre im immer ins ist ja jede jeder jetzt kann kannst man mein meine mich mir mit muss müssen
mussen nach noch nur oder ob sehr sein seine sich sie sind soll sollte sollen über uber um und uns unser unsere unter
vom von vor war waren weil wenn wer werden wie wir wird wo wurde wurden zu zum zur au aux avec bien c car ce ceci cela
ces cet cette comme d dans de dont elle elles en encore est et eu être etre fait faire il ils j je l la là le les leur
leurs lui m ma mais mes moi mon même meme n nos notre nous ont ou où par pas plus pour qu quand que quel quelle qui quoi
s sa sans se ses si son sont sous sur t ta te tes toi ton toujours tous tout toute toutes tu un une utiliser va vers vos
votre vous y à été ete
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())

_NEGATIONS = """
no not never none nor cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt couldnt mustnt avoid
forbid forbidden stop refuse nicht kein keine keinen keinem keiner keines nie niemals nichts verboten vermeide vermeiden
ne pas jamais aucun aucune rien interdit éviter evite eviter évite nunca jamás jamas ningún ningun evitar prohibido 不 别
勿 禁止 不要 从不 しない 禁 ない
"""
NEGATIONS = frozenset(_NEGATIONS.split())

_TOKEN = re.compile(r"(?:(?<!\S)-(?=\d))?[^\W_](?:[\w./:@#-]*[\w+#])?|[<>=^|~%&$€£]")
_VALUE_SIGN = re.compile(r"[0-9_/.:+#@<>=^|~%&$€£]")
_WIDE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_BORDER = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_RUN = re.compile(r"[^\W_]+")
_APOSTROPHES = str.maketrans("", "", "'’ʼ`")


def folded(text: str) -> str:
    """Return *text* in one spelling: NFKC, case folded, contractions joined (``don't`` is ``dont``)."""
    return unicodedata.normalize("NFKC", text).casefold().translate(_APOSTROPHES)


def tokens(text: str) -> list[str]:
    """Return words and values of *text* in order, folded; scripts without spaces come in pairs of characters.

    A text of signs alone is one value, so that two of them are not the same.
    """
    return list(_tokens(folded(text))) or [folded(text).strip()] * bool(text.strip())


def _tokens(text: str) -> Iterator[str]:
    for token in _TOKEN.findall(_WIDE.sub(lambda wide: f" {' '.join(pairs(wide[0]))} ", text)):
        if is_value(token):
            yield token
        else:
            yield from _RUN.findall(token)


def is_value(token: str) -> bool:
    """Tell whether *token* is a value (a number, version, path, identifier, operator) and no word."""
    return _VALUE_SIGN.search(token) is not None or not any(map(str.isalnum, token))


def pairs(wide: str) -> list[str]:
    """Return each two neighbours of a run of characters without spaces, or the only one."""
    return [left + right for left, right in pairwise(wide)] or [wide]


def content_words(found: Iterable[str]) -> list[str]:
    """Return what is neither grammar nor denial."""
    return [token for token in found if token not in STOP_WORDS and token not in NEGATIONS]


def denies(found: Iterable[str]) -> bool:
    """Tell whether one of the words denies or forbids."""
    return any(token in NEGATIONS for token in found)


def pieces(text: str) -> list[str]:
    """Return the parts of the identifiers in *text*, split at borders of case and digits, and pairs of wide characters."""
    text = unicodedata.normalize("NFKC", text)
    found: dict[str, None] = {}
    for run in _RUN.findall(text):
        for part in _WIDE.findall(run):
            found.update(dict.fromkeys(pairs(part)))
        parts = _BORDER.split(run)
        if len(parts) > 1:
            found.update(dict.fromkeys(part.casefold() for part in parts))
    return list(found)


class Stemmer:
    """Stems words exactly as the full-text index does: SQLite's own tokenizer does it, in memory."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._index: sqlite3.Connection | None = None

    def stems(self, words: Iterable[str]) -> list[str]:
        """Return the stem of each of *words*, which hold letters and digits only."""
        asked = list(words)
        unknown = list({word for word in asked if word not in self._known})
        if unknown:
            self._learn(unknown)
        return [self._known[word] for word in asked]

    def _learn(self, unknown: list[str]) -> None:
        if self._index is None:
            # One stemmer may serve the threads of a server; SQLite itself serialises them.
            self._index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self._index.execute(f"CREATE VIRTUAL TABLE words USING fts5(word, tokenize = '{TOKENIZER}')")
            self._index.execute("CREATE VIRTUAL TABLE stems USING fts5vocab('words', 'instance')")
        self._index.executemany("INSERT INTO words (rowid, word) VALUES (?, ?)", enumerate(unknown))
        found = self._index.execute("SELECT doc, term FROM stems ORDER BY doc, offset").fetchall()
        self._index.execute("DELETE FROM words")
        self._known.update(zip(unknown, unknown, strict=True))
        self._known.update((unknown[number], term) for number, term in reversed(found))


_STEMMER = Stemmer()


def stems(words: Iterable[str]) -> list[str]:
    """Return the stem of each word as the full-text index has it."""
    return _STEMMER.stems(words)
