"""The fast lane: reads lists and pipelines of plain commands without loading a grammar.

It knows words, quotes, simple parameters, globs, the list operators, redirections, comments and assignments. At anything
else (substitutions, here-documents, groups, loops, arithmetic …) it gives up, and the grammar reads the whole text. What it
does read it reads as the grammar does; a property test holds the two together.
"""

from __future__ import annotations

from token_saver.shell.script import KEYWORDS, Pipeline, Redirect, Script, Simple, Word

_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_SPECIAL_PARAMETERS = frozenset("?#@*$!-0123456789")
_WORD_ENDS = frozenset(" \t\n|&;<>()")
_PLAIN = _NAME | frozenset("-./:,@%+")
_REDIRECTS = ("&>>", "&>", ">>", ">&", ">|", "<>", "<&", ">", "<")


class _TooHardError(Exception):
    """The text holds something that only the grammar can read."""


def scan(text: str) -> Script | None:
    """Return the reading of *text*; None when the grammar has to read it."""
    if "\0" in text or "\r" in text:
        return None
    try:
        return _Scanner(text).script()
    except _TooHardError:
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
            raise _TooHardError
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
        raise _TooHardError

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
                named = None if words else _assignment(word)
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
            raise _TooHardError
        if words and (words[0].raw in KEYWORDS or words[0].raw.startswith(("=", "{", "}"))):
            raise _TooHardError
        if any(word.raw in ("}", "{") for word in words):
            raise _TooHardError

    def _at_word(self) -> bool:
        return self.at < len(self.text) and self.text[self.at] not in _WORD_ENDS

    def _redirect(self) -> Redirect | None:
        start = at = self.at
        while self.text[at : at + 1].isdigit():
            at += 1
        operator = next((sign for sign in _REDIRECTS if self.text.startswith(sign, at)), "")
        if not operator or (at > start and operator.startswith("&")):
            return None
        if self.text.startswith(("<<", "<(", ">("), at):
            raise _TooHardError
        self.at = at + len(operator)
        self._skip_blanks()
        if not self._at_word():
            raise _TooHardError
        target = self._word()
        return Redirect(self.text[start:at], operator, target, start, target.end)

    def _word(self) -> Word:
        start = self.at
        text = self.text
        while text[self.at : self.at + 1] in _PLAIN and self.at < len(text):
            self.at += 1
        if self.at == len(text) or text[self.at] in _WORD_ENDS:
            raw = text[start : self.at]
            return self._checked(Word(raw, raw, start))
        self.at = start
        return self._checked(_WordReader(self).read())

    def _checked(self, word: Word) -> Word:
        """A process substitution, a subscript or a ``{fd}>`` next to the word is the grammar's business."""
        follows = self.text[self.at : self.at + 1]
        if follows == "(" or (follows in "<>" and follows and word.raw.startswith("{")):
            raise _TooHardError
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


class _WordReader:
    """Reads one word that has more than plain characters in it."""

    def __init__(self, scanner: _Scanner) -> None:
        self.scanner = scanner
        self.source = scanner.text
        self.at = scanner.at
        self.text: list[str] = []
        self.names: list[str] = []
        self.literal = True
        self.quoted = False

    def read(self) -> Word:
        start = self.at
        source = self.source
        while self.at < len(source) and source[self.at] not in _WORD_ENDS:
            _READERS.get(source[self.at], _WordReader._character)(self)
        raw = source[start : self.at]
        self.scanner.at = self.at
        if _has_braces(raw):
            self.literal = False
        return Word(
            raw, "".join(self.text), start, literal=self.literal, quoted=self.quoted, names=tuple(dict.fromkeys(self.names))
        )

    def _character(self) -> None:
        char = self.source[self.at]
        if char < " " or char == "\x7f":
            raise _TooHardError
        self.text.append(char)
        self.at += 1

    def _expanding(self) -> None:
        self.literal = False
        self._character()

    def _single_quotes(self) -> None:
        end = self.source.find("'", self.at + 1)
        if end < 0:
            raise _TooHardError
        self.quoted = True
        self.text.append(self.source[self.at + 1 : end])
        self.at = end + 1

    def _backslash(self) -> None:
        escaped = self.source[self.at + 1 : self.at + 2]
        if not escaped:
            raise _TooHardError
        if escaped != "\n":
            self.quoted = True
            self.text.append(escaped)
        self.at += 2

    def _double_quotes(self) -> None:
        self.quoted = True
        self.at += 1
        source = self.source
        while not source.startswith('"', self.at):
            char = source[self.at : self.at + 1]
            if char == "\\":
                self._backslash_in_double_quotes()
            elif char == "$":
                self._parameter(quoted=True)
            elif char in ("", "`"):
                raise _TooHardError
            else:
                self.text.append(char)
                self.at += 1
        self.at += 1

    def _backslash_in_double_quotes(self) -> None:
        escaped = self.source[self.at + 1 : self.at + 2]
        if not escaped:
            raise _TooHardError
        if escaped != "\n":
            self.text.append(escaped if escaped in '$`"\\' else "\\" + escaped)
        self.at += 2

    def _dollar(self) -> None:
        self._parameter(quoted=False)

    def _parameter(self, *, quoted: bool) -> None:
        """Read ``$name`` and ``${name}``; the value is not known, so the text keeps them as they are."""
        source = self.source
        at = self.at + 1
        braced = source.startswith("{", at)
        at += braced
        start = at
        if source[at : at + 1] in _NAME_START and at < len(source):
            while at < len(source) and source[at] in _NAME:
                at += 1
        elif source[at : at + 1] in _SPECIAL_PARAMETERS and at < len(source):
            at += 1
        if at == start:
            self._lone_dollar(quoted=quoted)
            return
        if (braced and not source.startswith("}", at)) or source.startswith("[", at):
            raise _TooHardError
        self.names.append(source[start:at])
        self.literal = False
        self.text.append(source[self.at : at + braced])
        self.at = at + braced

    def _lone_dollar(self, *, quoted: bool) -> None:
        follows = self.source[self.at + 1 : self.at + 2]
        if follows in ("(", "{", "[") or (not quoted and follows in ("'", '"')):
            raise _TooHardError
        self.text.append("$")
        self.at += 1

    def _backtick(self) -> None:
        raise _TooHardError


_READERS = {
    "'": _WordReader._single_quotes,
    '"': _WordReader._double_quotes,
    "\\": _WordReader._backslash,
    "$": _WordReader._dollar,
    "`": _WordReader._backtick,
    "*": _WordReader._expanding,
    "?": _WordReader._expanding,
    "[": _WordReader._expanding,
    "~": _WordReader._expanding,
}


def _has_braces(raw: str) -> bool:
    """Whether a brace expansion may be in *raw*: an open brace, and a comma or two dots after it."""
    opened = raw.find("{")
    return opened >= 0 and ("," in raw[opened:] or ".." in raw[opened:])


def _assignment(word: Word) -> tuple[str, Word] | None:
    """Return name and value when *word*, standing before the command word, assigns a variable."""
    name, sign, value = word.raw.partition("=")
    if not sign:
        return None
    plus = name.endswith("+")
    bare = name[:-1] if plus else name
    if not bare or bare[0] not in _NAME_START or any(char not in _NAME for char in bare):
        return None
    offset = len(name) + 1
    text = word.text[offset:]
    return bare, Word(value, text, word.start + offset, literal=word.literal, quoted=word.quoted, names=word.names)
