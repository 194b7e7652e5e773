"""Secrets that are handed to a program on its command line: by the options of known programs, by the names of options."""

from __future__ import annotations

from token_saver.redaction.names import NOT_SECRET, strength
from token_saver.redaction.signs import MASK
from token_saver.redaction.values import ANY, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from token_saver.redaction.signs import Span

_ARGUMENT = r"(?:\"(?P<double>[^\"\n]{1,400})\"|'(?P<single>[^'\n]{1,400})'|(?P<bare>[^\s\"';|&()]{1,400}))"

_PROGRAMS = tuple(
    rx(rf"\b(?:{programs})\b(?:[^\n;|&]{{0,200}}?\s)??(?:{option}){_ARGUMENT}")
    for programs, option in (
        (r"mysql\w{0,16}|mariadb(?:-\w{1,16})?", r"-p"),
        (r"sshpass", r"-p\s?"),
        (r"(?:docker|podman|nerdctl|helm|skopeo|az|oc)\s(?:registry\s)?login", r"-p\s?"),
        (r"redis-cli", r"-a\s?"),
        (r"curl|wget|https?|xh", r"(?:-u\s?|--user[\s=]|-a\s|--auth[\s=]|-U\s?|--proxy-user[\s=])[^\s:\"']{1,100}:"),
        (r"curl|wget|https?|xh", r"(?:-u\s?|--user[\s=]|-a\s|--auth[\s=])[\"'][^\s:\"']{1,100}:(?=[^\"'\n]{1,400}[\"'])"),
        (r"openssl", r"-(?:pass|passin|passout)\spass:"),
        (r"vault\slogin", r"(?=hv|s\.)"),
    )
)
_PASSWORD_OPTION = rx(r" -p(?P<gap>\s?)" + _ARGUMENT)
_TAKES_GAP = {b"mysql": False, b"mariadb": False, b"sshpass": True, b" login ": True}
"""Programs with an option ``-p`` for a password, and whether a blank may stand before it."""

_NAMED = rx(r"(?P<name>(?P<dash>--?)?[A-Za-z][\w.-]{2,63}+)(?P<link>=|:\s{1,4}|\s{1,4})[\"']?" + _ARGUMENT)
_PIPED = rx(
    r"\b(?:echo|printf)\s(?:-n\s)?" + _ARGUMENT + r"\s*\|[^|;&\n]{0,200}(?:--password-stdin|--with-token|sudo\s-\w*S|chpasswd)"
)
_HERE_STRING = rx(r"(?:login|passwd|--password-stdin|--with-token)\b[^;|&\n]{0,200}<<<\s?" + _ARGUMENT)


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterator[Span]:
    """Yield the span of the password after the `` -p`` at *hit* when a known program stands before it on its line."""
    line = folded[max(folded.rfind(b"\n", 0, hit) + 1, hit - 300) : hit]
    for program, takes_gap in _TAKES_GAP.items():
        if program in line:
            option = _PASSWORD_OPTION.match(text, hit)
            if option is not None and (takes_gap or not option["gap"]):
                yield from _argument(text, option)
            return


def in_command(command: str) -> Iterator[Span]:
    """Yield the spans of all that is handed over as a secret in a command line; rather too much than too little."""
    yield from _of_programs(command, 0, len(command))
    for pattern in (_PIPED, _HERE_STRING):
        for found in pattern.finditer(command):
            yield from _argument(command, found)
    position = 0
    while (named := _NAMED.search(command, position)) is not None:
        position = named.end("name")
        if (named["dash"] or not named["link"].isspace()) and strength(named["name"].lstrip("-")) != NOT_SECRET:
            yield from _argument(command, named)


def _of_programs(text: str, begin: int, end: int) -> Iterator[Span]:
    for pattern in _PROGRAMS:
        for found in pattern.finditer(text, begin, end):
            yield from _argument(text, found)


def _argument(text: str, found: re.Match[str]) -> Iterator[Span]:
    group = found.lastgroup
    if group is not None and is_secret(found[group], ANY):
        yield *found.span(group), MASK
