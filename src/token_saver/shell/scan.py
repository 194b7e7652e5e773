"""The fast lane: reads lists and pipelines of plain commands without loading a grammar.

It knows words, quotes, simple parameters, globs, the list operators, redirections, comments and assignments. At anything
else (substitutions, here-documents, groups, loops, arithmetic …) it gives up, and the grammar reads the whole text. What it
does read it reads as the grammar does; a property test holds the two together.
"""

from __future__ import annotations

from token_saver.shell.script import KEYWORDS, Pipeline, Redirect, Script, Simple, Word, is_odd_time
from token_saver.shell.words import PLAIN, WORD_ENDS, TooHardError, WordReader, named_value

_REDIRECTS = ("<<<", "&>>", "&>", ">>", ">&", ">|", "<>", "<&", ">", "<")
_REDIRECT_STARTS = frozenset("&<>0123456789")
_AHEAD = 100


def scan(text: str) -> Script | None:
    """Return the reading of *text*; None when the grammar has to read it."""
    if "\0" in text or "\r" in text:
        return None
    try:
        return _Scanner(text).script()
    except TooHardError:
        return None


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def script(self) -> Script:
        items: list[tuple[Pipeline, str]] = []
        self._skip_lines()
        while self.at < len(self.text):
            pipeline = self._pipeline()
            separator = self._separator()
            items.append((pipeline, separator))
            self._skip_lines()
        if not items or items[-1][1] in ("&&", "||"):
            raise TooHardError
        return Script(tuple(items))

    def _pipeline(self) -> Pipeline:
        start = self.at
        negated = self._bang()
        commands = [self._simple()]
        joints: list[str] = []
        while joint := self._joint():
            joints.append(joint)
            self._skip_lines()
            commands.append(self._simple())
        return Pipeline(tuple(commands), tuple(joints), negated, start, commands[-1].end)

    def _bang(self) -> bool:
        if not self.text.startswith(("! ", "!\t"), self.at):
            return False
        self.at += 1
        self._skip_blanks()
        return True

    def _joint(self) -> str:
        if self.text.startswith("|", self.at) and not self.text.startswith("||", self.at):
            joint = "|&" if self.text.startswith("|&", self.at) else "|"
            self.at += len(joint)
            return joint
        return ""

    def _separator(self) -> str:
        if self.at >= len(self.text):
            return ""
        for operator in ("&&", "||", ";", "&", "\n"):
            if self.text.startswith(operator, self.at):
                self.at += len(operator)
                return operator
        raise TooHardError

    def _simple(self) -> Simple:
        start = end = self.at
        assignments: list[tuple[str, Word]] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            redirect = self._redirect()
            if redirect is not None:
                redirects.append(redirect)
                end = redirect.end
            elif self._at_word():
                word = self._word()
                end = word.end
                named = None if words else named_value(word)
                if named is not None:
                    assignments.append(named)
                else:
                    words.append(word)
            else:
                break
            self._skip_blanks()
        self._check(start, end, words)
        return Simple(tuple(assignments), tuple(words), tuple(redirects), start, end)

    def _check(self, start: int, end: int, words: list[Word]) -> None:
        if start == end or self.text.startswith("(", self.at):
            raise TooHardError
        if words and (words[0].raw in KEYWORDS or words[0].raw.startswith(("=", "{", "}"))):
            raise TooHardError
        if any(word.raw in ("}", "{") for word in words) or is_odd_time(words):
            raise TooHardError

    def _at_word(self) -> bool:
        return self.at < len(self.text) and self.text[self.at] not in WORD_ENDS

    def _redirect(self) -> Redirect | None:
        start = at = self.at
        if self.text[at : at + 1] not in _REDIRECT_STARTS:
            return None
        while self.text[at : at + 1].isdigit():
            at += 1
        operator = next((sign for sign in _REDIRECTS if self.text.startswith(sign, at)), "")
        if not operator or (at > start and operator.startswith("&")):
            return None
        if operator != "<<<" and self.text.startswith(("<<", "<(", ">("), at):
            raise TooHardError
        self.at = at + len(operator)
        self._skip_blanks()
        if not self._at_word():
            raise TooHardError
        target = self._word()
        return Redirect(self.text[start:at], operator, target, start, target.end)

    def _word(self) -> Word:
        start = self.at
        text = self.text
        ahead = text[start : start + _AHEAD].partition(" ")[0]
        if PLAIN.issuperset(ahead):
            self.at += len(ahead)
        while self.at < len(text) and text[self.at] in PLAIN:
            self.at += 1
        if self.at == len(text) or text[self.at] in WORD_ENDS:
            raw = text[start : self.at]
            return self._checked(Word(raw, raw, start))
        word = WordReader(text, start).read()
        self.at = word.end
        return self._checked(word)

    def _checked(self, word: Word) -> Word:
        """A process substitution, a subscript or a ``{fd}>`` next to the word is the grammar's business."""
        follows = self.text[self.at : self.at + 1]
        if follows == "(" or (follows in "<>" and follows and word.raw.startswith("{")):
            raise TooHardError
        return word

    def _skip_blanks(self) -> None:
        text = self.text
        while self.at < len(text):
            if text[self.at] in " \t":
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif text[self.at] == "#":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            else:
                return

    def _skip_lines(self) -> None:
        self._skip_blanks()
        while self.text.startswith("\n", self.at):
            self.at += 1
            self._skip_blanks()
