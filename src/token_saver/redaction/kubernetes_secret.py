"""The values of a Kubernetes Secret (``kubectl get secret -o yaml|json``): every entry of ``data`` and ``stringData``.

The keys of a Secret are free (``username``, ``tls.crt``), so its kind, and not a name, says that the values are secret.
"""

from __future__ import annotations

from token_saver.redaction.signs import MASK
from token_saver.redaction.values import is_reference
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.redaction.signs import Span

_YAML_DATA = rx(r"(?m)^(?P<indent>[ -]*)(?:data|stringData):[ \t]*\r?\n")
_YAML_ENTRY = rx(r"(?P<indent> *)[\w.\"'-]{1,253}:[ \t]+(?P<value>[^\s#|>{\[][^\r\n]*)?(?:[|>][+-]?\d?)?[ \t]*\r?(?:\n|\Z)")
_JSON_DATA = rx(r"\\{0,3}\"(?:data|stringData)\\{0,3}\":\s{0,4}\{")
_JSON_ENTRY = rx(r"\s*,?\s*(?P<quote>\\{0,3}\")[\w.-]{1,253}(?P=quote):\s{0,4}(?P=quote)(?P<value>[^\"\\]*+)(?P=quote)")
_KINDS = (b"kind: ", b'kind": "', b'kind":"', b'kind\\":\\"', b'kind\\": \\"')
_FIRST = b"apiversion"
"""The first key of every object, as the API server orders them."""


def secrets_at(text: str, folded: bytes, hit: int, allow: frozenset[str]) -> Iterator[Span]:
    """Yield the spans of the values of the object whose kind is ``Secret``, with its ``cre`` at *hit*."""
    hit -= 2
    kind = _kind_before(folded, hit) if folded.startswith(b"secret", hit) else b""
    if kind == b"":
        return
    # The object reaches from its first key to that of the next one, and never over the kind of another Secret.
    secret = kind + b"secret"
    before = folded.rfind(secret, 0, hit)
    after = folded.find(secret, hit)
    after = len(folded) if after < 0 else after
    begin = folded.rfind(_FIRST, max(before, 0), hit)
    end = folded.find(_FIRST, hit, after)
    read = _yaml_values if kind == _KINDS[0] else _json_values
    yield from read(text, max(begin, before, 0), after if end < 0 else end)


def _kind_before(folded: bytes, hit: int) -> bytes:
    for kind in _KINDS:
        if folded.startswith(kind, hit - len(kind)):
            return kind
    return b""


def _yaml_values(text: str, begin: int, end: int) -> Iterator[Span]:
    for block in _YAML_DATA.finditer(text, begin, end):
        indent = len(block["indent"])
        position = block.end()
        while (entry := _YAML_ENTRY.match(text, position, end)) and len(entry["indent"]) > indent:
            value = entry["value"]
            if value is not None and not is_reference(value.strip("\"'")):
                yield *entry.span("value"), f'"{MASK}"'
            position = entry.end()


def _json_values(text: str, begin: int, end: int) -> Iterator[Span]:
    for block in _JSON_DATA.finditer(text, begin, end):
        position = block.end()
        while entry := _JSON_ENTRY.match(text, position, end):
            if not is_reference(entry["value"]):
                yield *entry.span("value"), MASK
            position = entry.end()
