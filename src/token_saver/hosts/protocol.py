"""What every host adapter is made of: an event comes as one JSON object on stdin, a reply goes as one to stdout.

A host is one module with ``NAME`` and ``answer(event, words)``: *event* is the parsed object, *words* are those that stand
behind the host's name in the installed hook command. It returns the reply, or None for silence, which every host here takes
for "no opinion". Nothing but that reply ever reaches stdout; an adapter that raises is silent.

The JSON is read and written with the C parts of the standard module alone, whose own import costs half of a start-up.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    class Host(Protocol):
        """One host: a module is one."""

        NAME: str

        def answer(self, event: Mapping[str, Any], words: Sequence[str]) -> Mapping[str, Any] | None:
            """Return the reply to *event*, None to say nothing."""


LONGEST = 16_384
"""Characters of a command line that is looked at; a longer one is somebody's data."""
_OURS = ("token-saver", "token_saver/hosts/entry.py")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class NotAnEventError(ValueError):
    """What came on stdin is not one JSON object."""


class _Context:
    """What the scanner of ``json`` is told; see ``json.decoder.JSONDecoder``."""

    strict = False
    object_hook = object_pairs_hook = parse_constant = None
    parse_float = float
    parse_int = int


def parse(raw: bytes) -> dict[str, Any]:
    """Return the JSON object that *raw* is; raises NotAnEventError when it is anything else."""
    try:
        text = raw.removeprefix(_BYTE_ORDER_MARK).decode()
        found, end = _scanned(text)
    except (ValueError, StopIteration, RecursionError, SystemError) as error:
        # The scanner has no error to set unless json.decoder is imported; the interpreter then sets SystemError.
        raise NotAnEventError("it is not JSON") from error
    if not isinstance(found, dict) or text[end:].strip():
        raise NotAnEventError("it is not one object")
    return found


def _scanned(text: str) -> tuple[Any, int]:
    from _json import make_scanner

    start = len(text) - len(text.lstrip())
    made: tuple[Any, int] = make_scanner(_Context)(text, start)  # type: ignore[arg-type]
    return made


def render(value: object) -> str:
    """Return *value*, which ``parse`` could have returned, as JSON in ASCII."""
    if isinstance(value, str):
        from _json import encode_basestring_ascii

        return encode_basestring_ascii(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{render(str(key))}:{render(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(render, value)) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if value != value or value in (float("inf"), float("-inf")):
        raise ValueError("not a number of JSON")
    return repr(value)


def text(event: Mapping[str, Any], *keys: str) -> str:
    """Return the string at the path *keys* of *event*, "" when there is none."""
    found: Any = event
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""


def table(event: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object at *key*, an empty one when there is none."""
    found = event.get(key)
    return found if isinstance(found, dict) else {}


def command_in(event: Mapping[str, Any], *keys: str) -> str:
    """Return the command line at the path *keys*; "" when there is none, or one that is never ours to touch."""
    found = text(event, *keys)
    return found if found.strip() and len(found) <= LONGEST and not runs_us(found) else ""


def words(text: str) -> frozenset[str]:
    """Return the words of *text*, which blanks separate."""
    return frozenset(text.split())


def runs_us(command: str) -> bool:
    """Tell whether *command* starts Token-Saver itself, so that its output is what is to be shown."""
    return any(sign in command for sign in _OURS)
