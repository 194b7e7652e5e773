"""A secret's name and its value: ``NAME=value``, ``name: value``, ``"name": "value"``, ``<name>value</name>``, flags, pairs.

The same characters are a secret in one place and code in another. So the reader asks where it stands: on a line of an
environment, where the whole rest of the line is the value; beside a quoted literal; or beside a bare word, where only
what can hardly be code is taken.
"""

from __future__ import annotations

from token_saver.redaction.names import GUESS, NOT_SECRET, PASSWORD, strength
from token_saver.redaction.signs import KEEP, MASK
from token_saver.redaction.values import ANY, GENERATED, UNUSUAL, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from token_saver.redaction.signs import Span

_NAME_CHARACTERS = b"etaonrsihdlucmfpgwybvkxjqz_-0123456789"
_LONGEST_NAME = 64
_LONGEST_LITERAL = 8_000
_LONGEST_LINE = 200_000

_AFTER_NAME = rx(
    r"""(?x)
    [\w.-]{3,64}+
    (?:
        (?P<close>\\{0,3}["'`]?\]?)
        (?:
            (?P<assign>[ \t]{0,40}+(?:=>|:=|[+?]?=(?![=~>])))[ \t]{0,8}+
          | (?P<colon>[ \t]{0,8}+:(?![:/=]))[ \t]{0,40}+
          | (?P<pair>,?\s{0,40}+\\{0,3}["']?[Vv]alue\\{0,3}["']?\s?[:=]\s{0,4})
        )
      | (?P<xml>>)
      | (?P<space>[ \t]{1,40}+)
    )
    """
)
_LITERAL = rx(r"[bBrRuUfF@]{0,2}(?P<quote>\\{0,3}(?:\"\"\"|'''|[\"'`]))")
_LINE_ENDS = ("", "\n", "\r")
_SEPARATORS = (" ", ";", "&", '"', "'")
_CALLS = ("(", "[", "{", "<")
_WORD = rx(r"[^\s\"'`<>,;&|(){}\[\]\\]{1,2048}+")
_VALUE = rx(r"[^,;&}\]\"'<\r\n]{0,2048}+")
_TOKEN_ALPHABET = rx(r"[\w+/.~:@-]++={0,2}\Z")
_ANNOTATION = rx(r"[\w.\[\]|, ]{1,60}?[ \t]?=[ \t]?(?=[bBrR]?[\"'])")
_ENVIRONMENT_LINE = rx(
    r"""(?x)
    (?:[\w./@+-]{1,80}+(?::\d{1,6})?[:-])?(?:[+>|-]?[\s\d]{0,16})      # grep, diff, numbered listings
    (?:[#;-]\s{1,4}|export\s+|declare\s+-\w+\s+|typeset\s+-\w+\s+|setx?\s+|readonly\s+|local\s+|ENV\s+|ARG\s+|env\s+|\$env:)*
    \Z
    """
)
_SETTERS = ("#define", "setenv", "ENV", "ARG", "set", "setx", "WITH", "with", "user", "USER")
_NETRC = rx(r"(?:machine\s+\S{1,60}|default)\s+login\s+\S{1,60}\s+\Z")
_NAMED = rx(r".*(?:name|Name|NAME|key|Key)\\{0,3}[\"']?\s?[:=]\s?\\{0,3}[\"']?\Z")
_SHELL_GOES_ON = rx(r"(?P<value>\S+)[ \t]+(?:&&|\|\|?|;|.*\s--?\w)|(?P<first>[^\s;]+);(?:\s|\Z)")
_SECTION = rx(r"(?m)^\[[\w .:/-]{1,80}\][ \t]*\r?$")


class _Name:
    """A secret's name and where it stands."""

    __slots__ = ("demand", "end", "guessed", "line", "name", "start", "text")

    def __init__(self, text: str, start: int, end: int, name: str, known: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.name = name
        # A longer line begins elsewhere, and then it is none of an environment.
        self.line = text.rfind("\n", max(0, start - 4096), start) + 1
        self.guessed = known == GUESS
        self.demand = UNUSUAL if known == PASSWORD else GENERATED

    def before(self) -> str:
        """Return what stands before the name on its line, at most 120 characters of it."""
        return self.text[max(self.line, self.start - 120) : self.start]

    def begins_environment_line(self) -> bool:
        """Tell whether a line as ``env``, ``export -p``, a .env file or a diff of it has them begins with the name."""
        return self.start - self.line <= 120 and _ENVIRONMENT_LINE.match(self.before()) is not None


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterable[Span]:
    """Return the span of the secret whose name holds the word at *hit*; to be kept when the name is in *allow*."""
    after = _AFTER_NAME.match(text, hit)
    if after is None:
        return ()
    separator = after.lastgroup or ""
    window = folded[max(0, hit - _LONGEST_NAME) : hit]
    start = hit - len(window) + len(window.rstrip(_NAME_CHARACTERS))
    if separator == "space" and not (text.startswith("-", start) or _set_before(text, start)):
        return ()
    close = after["close"]
    end = after.start(separator) if close is None else after.start("close")
    spelt = text[start:end].strip("-.")
    known = strength(spelt)
    if known == NOT_SECRET:
        return ()
    if spelt.lower() in allow:
        return ((*_value(text, after.end()), KEEP),)
    span = _READERS[separator](_Name(text, start, end, spelt, known), after.end(), close or "")
    return () if span is None else (span,)


def _value(text: str, start: int) -> tuple[int, int]:
    """Return where the value at *start* ends, whatever it is: a literal, or all up to the next sign between values."""
    whole = _VALUE.match(text, start)
    return _literal(text, start) or (start, start if whole is None else whole.end())


def _set_before(text: str, start: int) -> bool:
    """Tell whether a word stands before a name that says: the value follows after a blank."""
    before = text[max(0, start - 12) : start]
    word = before.rstrip(" \t")
    return word != before and (word.endswith(_SETTERS) or _in_netrc(text, start))


def _in_netrc(text: str, start: int) -> bool:
    """Tell whether the words before *start* are those of a .netrc file, on one line or on three."""
    before = text[max(0, start - 160) : start]
    return "login" in before and _NETRC.search(before) is not None


def _assigned(name: _Name, start: int, close: str) -> Span | None:
    tight = start == name.end + 1
    if tight and (name.name.isupper() or name.before().endswith(("export ", "-x "))):
        return _environment(name, start)
    if (literal := _literal(name.text, start)) is not None:
        return _span(name.text, *literal, name.demand)
    return _bare_assigned(name, start, tight and not close)


def _environment(name: _Name, start: int) -> Span | None:
    text = name.text
    on_line = name.begins_environment_line()
    demand = ANY if on_line and not name.guessed else name.demand
    if (literal := _literal(text, start)) is not None:
        return _span(text, *literal, demand)
    opening = text[name.start - 1 : name.start] if name.start else ""
    if opening in ("'", '"'):
        closing = text.find(opening, start, _end_of_line(text, start))
        return _span(text, start, closing, GENERATED if name.guessed else ANY) if closing > 0 else None
    if not on_line:
        return _bare(text, start, _end_of_word(text, start), demand)
    end = _end_of_line(text, start)
    goes_on = _SHELL_GOES_ON.match(text, start, end)
    if goes_on is not None:
        end = max(goes_on.end("value"), goes_on.end("first"))
    return _span(text, start, end, UNUSUAL if text[end - 1 : end] == ")" else demand)


def _bare_assigned(name: _Name, start: int, tight: bool) -> Span | None:
    text = name.text
    end = _end_of_word(text, start)
    if end < 0:
        return None
    follows = text[end : end + 1]
    alone = follows in _LINE_ENDS
    if alone and (name.begins_environment_line() if tight else _in_section(text, name.start)):
        # A line of a properties file, of ``git credential`` or of a file with sections.
        return _bare(text, start, end, ANY if name.demand == UNUSUAL else name.demand)
    in_call = text[name.start - 2 : name.start] == ", " or text[name.start - 1 : name.start] == "("
    ends_well = tight and not in_call and (alone or follows in _SEPARATORS)
    return _bare(text, start, end, name.demand if ends_well else GENERATED)


def _in_section(text: str, start: int) -> bool:
    return _SECTION.search(text, max(0, start - 2000), start) is not None


def _after_colon(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    if text[name.start - 1 : name.start] == ":":
        return None  # arn:aws:…:secret:name, Module::Token
    if (literal := _literal(text, start)) is not None:
        return _span(text, *literal, name.demand)
    if annotation := _ANNOTATION.match(text, start):
        literal = _literal(text, annotation.end())
        return None if literal is None else _span(text, *literal, name.demand)
    if name.name.isupper() and not name.guessed and text[start - 2 : start] == "  " and name.begins_environment_line():
        # ``kubectl describe`` and ``heroku config`` list variables in two columns.
        return _in_quotes(_span(text, start, _end_of_line(text, start), ANY))
    end = _end_of_word(text, start)
    if end < 0 or text[end : end + 1] == ";":
        return None
    alone = text[end : end + 1] in _LINE_ENDS or text[end : end + 2] == " #"
    header = text[name.line : name.line + 1] in ("<", ">")
    span = _bare(text, start, end, name.demand if alone else GENERATED)
    return span if header else _in_quotes(span)


def _of_pair(name: _Name, start: int, close: str) -> Span | None:
    if not _NAMED.match(name.before()):
        return None
    literal = _literal(name.text, start)
    if literal is not None:
        return _span(name.text, *literal, ANY)
    word = _WORD.match(name.text, start)
    return None if word is None else _in_quotes(_span(name.text, start, word.end(), ANY))


def _in_element(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    end = text.find("<", start, start + 4096)
    opened = text[name.start - 1 : name.start] == "<"
    return _span(text, start, end, name.demand) if opened and text.startswith("</", end) else None


def _after_space(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    if (literal := _literal(text, start)) is not None:
        return _span(text, *literal, name.demand)
    demand = ANY if name.name == "password" and _in_netrc(text, name.start) else name.demand
    return _bare(text, start, _end_of_word(text, start), demand)


_READERS = {
    "assign": _assigned,
    "colon": _after_colon,
    "pair": _of_pair,
    "xml": _in_element,
    "space": _after_space,
}


def _end_of_word(text: str, start: int) -> int:
    """Return where the bare word at *start* ends, -1 when there is none or it is the beginning of an expression."""
    word = _WORD.match(text, start)
    return -1 if word is None or text[word.end() : word.end() + 1] in _CALLS else word.end()


def _literal(text: str, start: int) -> tuple[int, int] | None:
    """Return where the content of the quoted literal at *start* begins and ends; None when there is no whole one."""
    opening = _LITERAL.match(text, start)
    if opening is None:
        return None
    quote = opening["quote"]
    begin = opening.end()
    limit = begin + _LONGEST_LITERAL
    if len(quote) < 3:
        limit = _end_of_line(text, begin, _LONGEST_LITERAL)
    end = text.find(quote, begin, limit)
    while end > 0 and text[end - 1] == "\\" and quote[0] != "\\":
        end = text.find(quote, end + 1, limit)
    return (begin, end) if end > 0 else None


def _end_of_line(text: str, start: int, longest: int = _LONGEST_LINE) -> int:
    end = text.find("\n", start, start + longest)
    if end < 0:
        end = min(len(text), start + longest)
    return end - 1 if text[end - 1 : end] == "\r" and end > start else end


def _span(text: str, start: int, end: int, demand: int) -> Span | None:
    return (start, end, MASK) if is_secret(text[start:end], demand) else None


def _bare(text: str, start: int, end: int, demand: int) -> Span | None:
    if end < 0 or (demand == GENERATED and not _TOKEN_ALPHABET.match(text, start, end)):
        return None
    return _span(text, start, end, demand)


def _in_quotes(span: Span | None) -> Span | None:
    """Return a span of a bare value with a quoted mask: a bare one is no YAML, where a star begins an alias."""
    return None if span is None else (span[0], span[1], f'"{MASK}"')
