"""A secret's name and its value: ``NAME=value``, ``name: value``, ``"name": "value"``, ``<name>value</name>``, flags, pairs.

The same characters are a secret in one place and code in another. So the reader asks where it stands: on a line of an
environment, where the whole rest of the line is the value; beside a quoted literal; or beside a bare word, where only
what can hardly be code is taken.
"""

from __future__ import annotations

from token_saver.redaction.names import NOT_SECRET, PASSWORD, strength
from token_saver.redaction.values import ANY, GENERATED, MASK, UNUSUAL, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
_LONGEST_NAME = 64

_AFTER_NAME = rx(
    r"""(?x)
    [\w.-]{3,64}+
    (?:
        (?P<close>\\{0,3}["'`]?\]?)
        (?:
            (?P<assign>[ \t]{0,40}+(?:=>|:=|[+?]?=(?![=~>])))[ \t]{0,8}+
          | (?P<colon>[ \t]{0,8}+[?!]?:(?![:/=]))[ \t]{0,40}+
          | (?P<pair>,?\s{0,40}+\\{0,3}["']?[Vv]alue\\{0,3}["']?\s?[:=]\s{0,4})
        )
      | (?P<xml>>)
      | (?P<space>[ \t]{1,40}+)
    )
    """
)
_LITERAL = rx(r"[bBrRuUfF@]{0,2}(?P<quote>\\{0,3}(?:\"\"\"|'''|[\"'`]))")
_WORD = rx(r"[^\s\"'`<>,;&|(){}\[\]\\]{1,4096}+")
_ANNOTATION = rx(r"[\w.\[\]|, ]{1,60}?[ \t]?=[ \t]?(?=[bBrR]?[\"'])")
_ENVIRONMENT_LINE = rx(
    r"""(?x)
    (?:[\w./@+-]{1,80}+(?::\d{1,6})?[:-])?(?:[+>|-]?[\s\d]{0,16})      # grep, diff, numbered listings
    (?:[#;-]\s{1,4}|export\s+|declare\s+-\w+\s+|typeset\s+-\w+\s+|setx?\s+|readonly\s+|local\s+|ENV\s+|ARG\s+|env\s+|\$env:)*
    \Z
    """
)
_SETTER = rx(r"(?:^|.*\s)(?:\#define|setenv|ENV|ARG|set|setx|login\s\S{1,80}|WITH|with|user|USER)\s+\Z")
_OPTION = rx(r".*(?:^|[\s\"'`(\[])--?[\w-]{0,60}\Z")
_NAMED = rx(r".*(?:name|Name|NAME|key|Key)\\{0,3}[\"']?\s?[:=]\s?\\{0,3}[\"']?\Z")
_SHELL_GOES_ON = rx(r"(?P<value>\S+)[ \t]+(?:&&|\|\|?|;|.*\s--?\w)|(?P<first>[^\s;]+);(?:\s|\Z)")
_SECTION = rx(r"(?m)^\[[\w .:/-]{1,80}\][ \t]*\r?$")

_DEMANDS = {PASSWORD: UNUSUAL}
"""What a place with quotes or an end makes of a name's strength; a TOKEN must look GENERATED."""


class _Name:
    """A secret's name and where it stands."""

    __slots__ = ("demand", "end", "line", "name", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.name = text[start:end].strip("-.")
        self.line = text.rfind("\n", 0, start) + 1
        self.demand = GENERATED

    def before(self) -> str:
        """Return what stands before the name on its line, at most 120 characters of it."""
        return self.text[max(self.line, self.start - 120) : self.start]

    def begins_environment_line(self) -> bool:
        """Tell whether a line as ``env``, ``export -p``, a .env file or a diff of it has them begins with the name."""
        return self.start - self.line <= 120 and _ENVIRONMENT_LINE.match(self.before()) is not None


def secret_beside(text: str, hit: int, allow: frozenset[str]) -> Span | None:
    """Return the span of the secret whose name holds the word at *hit*; None when there is none, or it is allowed.

    *allow* holds names in lower case.
    """
    after = _AFTER_NAME.match(text, hit)
    if after is None:
        return None
    window = text[max(0, hit - _LONGEST_NAME) : hit]
    end = after.start(after.lastgroup) if after["close"] is None else after.start("close")
    name = _Name(text, hit - len(window) + len(window.rstrip(_NAME_CHARACTERS)), end)
    found = strength(name.name)
    if found == NOT_SECRET or name.name.lower() in allow:
        return None
    name.demand = UNUSUAL if found == PASSWORD else GENERATED
    return _READERS[after.lastgroup or ""](name, after.end(), after["close"] or "")


def _assigned(name: _Name, start: int, close: str) -> Span | None:
    tight = start == name.end + 1
    if tight and (name.name.isupper() or name.before().endswith(("export ", "-x "))):
        return _environment(name, start)
    if (literal := _literal(name.text, start)) is not None:
        return _span(name.text, *literal, name.demand)
    return _bare_assigned(name, start, tight and not close)


def _environment(name: _Name, start: int) -> Span | None:
    text = name.text
    if (literal := _literal(text, start)) is not None:
        return _span(text, *literal, ANY)
    opening = text[name.start - 1 : name.start] if name.start else ""
    if opening in ("'", '"'):
        closing = text.find(opening, start, _end_of_line(text, start))
        return _span(text, start, closing, ANY) if closing > 0 else None
    if name.begins_environment_line():
        end = _end_of_line(text, start)
        goes_on = _SHELL_GOES_ON.match(text, start, end)
        if goes_on is not None:
            end = max(goes_on.end("value"), goes_on.end("first"))
        return _span(text, start, end, UNUSUAL if text[end - 1 : end] == ")" else ANY)
    word = _WORD.match(text, start)
    if word is None or text[word.end() : word.end() + 1] in ("(", "["):
        return None
    return _span(text, start, word.end(), name.demand)


def _bare_assigned(name: _Name, start: int, tight: bool) -> Span | None:
    text = name.text
    word = _WORD.match(text, start)
    if word is None:
        return None
    end = word.end()
    ends_well = text[end : end + 1] in ("", "\n", "\r", " ", ";", "&", '"', "'")
    in_call = text[name.start - 2 : name.start] == ", " or text[name.start - 1 : name.start] == "("
    if not tight:
        ends_well = text[end : end + 1] in ("", "\n", "\r") and _SECTION.search(text, max(0, start - 2000), start) is not None
    return _span(text, start, end, name.demand if ends_well and not in_call else GENERATED)


def _after_colon(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    if (literal := _literal(text, start)) is not None:
        return _span(text, *literal, name.demand)
    if annotation := _ANNOTATION.match(text, start):
        literal = _literal(text, annotation.end())
        return None if literal is None else _span(text, *literal, name.demand)
    word = _WORD.match(text, start)
    if word is None:
        return None
    end = word.end()
    alone = text[end : end + 1] in ("", "\n", "\r") or text[end : end + 2] == " #"
    header = text[name.line : name.line + 1] in ("<", ">")
    span = _span(text, start, end, name.demand if alone else GENERATED)
    # A bare *** is no YAML: a star begins an alias there.
    return span if span is None or header else (span[0], span[1], f'"{MASK}"')


def _of_pair(name: _Name, start: int, close: str) -> Span | None:
    if not _NAMED.match(name.before()):
        return None
    literal = _literal(name.text, start)
    if literal is not None:
        return _span(name.text, *literal, ANY)
    word = _WORD.match(name.text, start)
    return None if word is None else _quoted(_span(name.text, start, word.end(), ANY))


def _in_element(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    end = text.find("<", start, start + 4096)
    opened = text[name.start - 1 : name.start] == "<"
    return _span(text, start, end, name.demand) if opened and text.startswith("</", end) else None


def _after_space(name: _Name, start: int, close: str) -> Span | None:
    text = name.text
    before = name.before()
    literal = _literal(text, start)
    if name.text[name.start : name.start + 1] == "-" or _SETTER.match(before):
        if literal is not None:
            return _span(text, *literal, name.demand)
        word = _WORD.match(text, start)
        return None if word is None else _span(text, start, word.end(), name.demand)
    return None


_READERS = {
    "assign": _assigned,
    "colon": _after_colon,
    "pair": _of_pair,
    "xml": _in_element,
    "space": _after_space,
}


def _literal(text: str, start: int) -> tuple[int, int] | None:
    """Return where the content of the quoted literal at *start* begins and ends; None when there is no whole one."""
    opening = _LITERAL.match(text, start)
    if opening is None:
        return None
    quote = opening["quote"]
    begin = opening.end()
    limit = begin + 4096 if len(quote) > 2 else _end_of_line(text, begin)
    end = text.find(quote, begin, limit)
    while end > 0 and text[end - 1] == "\\" and quote[0] != "\\":
        end = text.find(quote, end + 1, limit)
    return (begin, end) if end > 0 else None


def _end_of_line(text: str, start: int) -> int:
    end = text.find("\n", start)
    if end < 0:
        end = len(text)
    return end - 1 if text[end - 1 : end] == "\r" and end > start else end


def _span(text: str, start: int, end: int, demand: int) -> Span | None:
    return (start, end, MASK) if is_secret(text[start:end], demand) else None


def _quoted(span: Span | None) -> Span | None:
    return None if span is None else (span[0], span[1], f'"{MASK}"')
