"""One word of a command line: where it ends, and what is left of it without its quotes."""

from __future__ import annotations

from token_saver.shell.script import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from token_saver.shell.script import Script

_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | frozenset("0123456789")
_SPECIAL_PARAMETERS = frozenset("?#@*$!-0123456789")
WORD_ENDS = frozenset(" \t\n|&;<>()")
PLAIN = _NAME | frozenset("-./:,@%+")


class TooHardError(Exception):
    """The text holds something that only the grammar can read."""


class Opaque:
    """A part of a word that the shell computes, as the grammar found it: an expansion, a substitution, an array.

    ``text`` is what stands for it in the word's text, where it can be known; else the part as typed.
    """

    __slots__ = ("end", "names", "scripts", "text")

    def __init__(self, end: int, text: str, names: tuple[str, ...] = (), scripts: tuple[Script, ...] = ()) -> None:
        self.end = end
        self.names = names
        self.scripts = scripts
        self.text = text


_NOTHING: dict[int, Opaque] = {}


class WordReader:
    """Reads the word that begins at *at*; *opaque* says where parts begin that are not to be looked into."""

    def __init__(self, source: str, at: int, opaque: Mapping[int, Opaque] = _NOTHING, end: int | None = None) -> None:
        self.source = source
        self.end = len(source) if end is None else end
        self.at = at
        self.opaque = opaque
        self.text: list[str] = []
        self.names: list[str] = []
        self.scripts: list[Script] = []
        self.literal = True
        self.quoted = False

    def read(self) -> Word:
        start = self.at
        source = self.source
        while self.at < self.end:
            if self.at in self.opaque:
                self._step_over()
            elif source[self.at] in WORD_ENDS:
                break
            else:
                _READERS.get(source[self.at], WordReader._character)(self)
        raw = source[start : self.at]
        return Word(
            raw,
            "".join(self.text),
            start,
            literal=self.literal and not _has_braces(raw) and not raw.startswith("="),  # zsh looks `=name` up
            quoted=self.quoted,
            names=tuple(dict.fromkeys(self.names)),
            scripts=tuple(self.scripts),
        )

    def _step_over(self) -> None:
        part = self.opaque[self.at]
        self.text.append(part.text)
        self.names += part.names
        self.scripts += part.scripts
        self.literal = False
        self.at = part.end

    def _character(self) -> None:
        char = self.source[self.at]
        if char < " " or char == "\x7f":
            raise TooHardError
        self.text.append(char)
        self.at += 1

    def _expanding(self) -> None:
        self.literal = False
        self._character()

    def _single_quotes(self) -> None:
        end = self.source.find("'", self.at + 1)
        if end < 0:
            raise TooHardError
        self.quoted = True
        self.text.append(self.source[self.at + 1 : end])
        self.at = end + 1

    def _backslash(self) -> None:
        escaped = self.source[self.at + 1 : self.at + 2]
        if not escaped:
            raise TooHardError
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
            if self.at in self.opaque:
                self._step_over()
            elif char == "\\":
                self._backslash_in_double_quotes()
            elif char == "$":
                self._parameter(quoted=True)
            elif char in ("", "`"):
                raise TooHardError
            else:
                self.text.append(char)
                self.at += 1
        self.at += 1

    def _backslash_in_double_quotes(self) -> None:
        escaped = self.source[self.at + 1 : self.at + 2]
        if not escaped:
            raise TooHardError
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
            raise TooHardError
        self.names.append(source[start:at])
        self.literal = False
        self.text.append(source[self.at : at + braced])
        self.at = at + braced

    def _lone_dollar(self, *, quoted: bool) -> None:
        follows = self.source[self.at + 1 : self.at + 2]
        if follows in ("(", "{", "[") or (not quoted and follows in ("'", '"')):
            raise TooHardError
        self.text.append("$")
        self.at += 1

    def _backtick(self) -> None:
        raise TooHardError


_READERS = {
    "'": WordReader._single_quotes,
    '"': WordReader._double_quotes,
    "\\": WordReader._backslash,
    "$": WordReader._dollar,
    "`": WordReader._backtick,
    "*": WordReader._expanding,
    "?": WordReader._expanding,
    "[": WordReader._expanding,
    "~": WordReader._expanding,
}


def _has_braces(raw: str) -> bool:
    """Whether a brace expansion may be in *raw*: an open brace, and a comma or two dots after it."""
    opened = raw.find("{")
    return opened >= 0 and ("," in raw[opened:] or ".." in raw[opened:])


def named_value(word: Word) -> tuple[str, Word] | None:
    """Return name and value when *word*, standing before the command word, assigns a variable or an element of one."""
    left, sign, value = word.raw.partition("=")
    name = (left[:-1] if left.endswith("+") else left).partition("[")[0]
    if not sign or not name or name[0] not in _NAME_START or any(char not in _NAME for char in name):
        return None
    if "[" in left and not left.rstrip("+").endswith("]"):
        return None
    offset = len(left) + 1
    rest = Word(
        value,
        word.text[offset:],
        word.start + offset,
        literal=word.literal,
        quoted=word.quoted,
        names=word.names,
        scripts=word.scripts,
    )
    return name, rest
