"""Secrets that are known by their own shape, as their issuers publish it, whatever stands beside them.

Each of them holds at least twenty letters, digits, ``_`` and ``-`` in a row, or follows such a prefix with a dot. So one
pass over the text finds all such runs, and only those are compared with the table.
"""

from __future__ import annotations

from token_saver.redaction.signs import LONG_RUN, MASK
from token_saver.redaction.values import GENERATED, is_secret
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from token_saver.redaction.signs import Span
    from token_saver.text.rx import Rx

_TABLE: tuple[tuple[str, str, str, str], ...] = (
    # kind, how it may begin (three characters, lower case), what stays visible, the secret part
    ("github-token", "ghp gho ghu ghs ghr git", r"gh[opsur]_|github_pat_", r"[A-Za-z0-9_]{22,255}"),
    (
        "gitlab-token",
        "glp gld glr glc glf gli gla gls glo",
        r"gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-",
        r"[\w-]{20,300}(?:\.[\w.-]{1,60})?",
    ),
    ("slack-token", "xox xap", r"xox[abeoprs]-|xapp-\d-", r"[A-Za-z0-9-]{16,250}"),
    ("stripe-key", "sk_ rk_ whs", r"[sr]k_(?:live|test)_|whsec_", r"[A-Za-z0-9]{16,250}"),
    ("aws-access-key", "aki asi", r"AKIA|ASIA", r"(?!\w{9}EXAMPLE)[A-Z0-9]{16}\b"),
    ("google-api-key", "aiz", r"AIza", r"[\w-]{35}"),
    ("google-oauth-secret", "goc", r"GOCSPX-", r"[\w-]{24,40}"),
    ("npm-token", "npm", r"npm_", r"[A-Za-z0-9]{36,60}"),
    ("pypi-token", "pyp", r"pypi-AgE", r"[\w-]{50,1000}"),
    ("anthropic-key", "sk-", r"sk-ant-(?:\w{2,8}-)?", r"[\w-]{20,250}"),
    ("openai-key", "sk-", r"sk-(?:proj|svcacct|admin)-", r"[\w-]{20,250}"),
    ("openai-key", "sk-", r"sk-", r"[A-Za-z0-9]{40,60}\b"),
    ("openrouter-key", "sk-", r"sk-or-v1-", r"[0-9a-f]{40,80}"),
    ("huggingface-token", "hf_", r"hf_", r"[A-Za-z0-9]{34,40}\b"),
    ("replicate-token", "r8_", r"r8_", r"[A-Za-z0-9]{37}\b"),
    ("groq-key", "gsk", r"gsk_", r"[A-Za-z0-9]{40,60}"),
    ("digitalocean-token", "doo dop dor", r"do[opr]_v1_", r"[0-9a-f]{64}"),
    ("shopify-token", "shp", r"shp(?:at|ca|pa|ss)_", r"[0-9a-fA-F]{32}"),
    ("square-token", "sq0", r"sq0(?:atp|csp)-", r"[\w-]{22,60}"),
    ("mailgun-key", "key", r"key-", r"[0-9a-f]{32}\b"),
    ("databricks-token", "dap", r"dapi", r"[0-9a-f]{32}(?:-\d)?\b"),
    ("docker-token", "dck", r"dckr_(?:pat|oat)_", r"[\w-]{20,60}"),
    ("atlassian-token", "ata atc atb", r"ATATT3|ATCTT3|ATBB", r"[\w=-]{24,250}"),
    ("newrelic-key", "nra nrj nri", r"NR(?:AK|JS|II)-", r"[A-Za-z0-9]{20,60}"),
    ("grafana-token", "gls glc", r"glsa_|glc_", r"[\w=]{32,400}"),
    ("sentry-token", "snt", r"sntry[su]_", r"[\w=+/-]{40,400}"),
    ("supabase-token", "sbp sb_", r"sbp_|sb_secret_", r"[\w-]{20,80}"),
    ("planetscale-token", "psc", r"pscale_(?:tkn|pw|oauth)_", r"[\w.-]{31,63}[\w-]"),
    ("linear-key", "lin", r"lin_api_", r"[A-Za-z0-9]{32,48}"),
    ("postman-key", "pma", r"PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("rubygems-key", "rub", r"rubygems_", r"[0-9a-f]{48}"),
    ("age-key", "age", r"AGE-SECRET-KEY-1", r"[0-9A-Z]{50,60}"),
    ("jwt", "eyj", r"eyJ", r"[\w-]{10,4000}\.[\w-]{10,100000}(?:\.[\w-]+){0,3}"),
    ("sendgrid-key", "sg.", r"SG\.", r"[\w-]{22}\.[\w-]{43}"),
    ("google-access-token", "ya2", r"ya29\.", r"[\w.-]{19,2000}[\w-]"),
    ("vault-token", "hvs hvb hvr", r"hv[sbr]\.", r"[\w-]{24,300}"),
    ("doppler-token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.", r"[A-Za-z0-9]{40,44}"),
)

KINDS = {row[0]: row[2] for row in reversed(_TABLE)}
"""The kinds of secrets with a prefix of their own, and the pattern of what stays visible of each."""

_rows: dict[bytes, list[tuple[str, Rx]]] = {}
for _kind, _starts, _visible, _secret in _TABLE:
    _pattern = rx(f"(?P<visible>{_visible})(?P<secret>{_secret})")
    for _start in _starts.split():
        _rows.setdefault(_start.encode(), []).append((_kind, _pattern))

_BEFORE_DOT = {b"sg.": 3, b"29.": 5, b"vs.": 4, b"vb.": 4, b"vr.": 4, b"pt.": 6, b"st.": 6, b"ct.": 6, b"sa.": 6}
"""Prefixes that end in a dot, by their last three characters: how far back the secret begins."""

_GLUE = frozenset({b"\\", b"%", b"[", b";"})
_COLOUR = rx(r"\d{0,3}m")
_TELLING = frozenset({b"r ", b"e=", b"g.", b"9.", b"s.", b"b.", b"r.", b"t.", b"a."})
"""The two characters before a run that is worth a look although it has no prefix of its own: ``bearer ``, ``sg.``."""
_TELLING_ALONE = frozenset(b"\\%[;/")
_SIGNATURE = rx(r"[\w.~%/+-]{20,2000}=*")
_HOOK = rx(r"(?:hooks\.slack\.com/services/\w{6,20}/\w{6,20}|/api/webhooks/\d{15,25})/\Z")
_BEARER = rx(r"[\w.~+/-]{20,4000}=*")


def shaped_secrets(text: str, folded: bytes, marked: bytes, allow: frozenset[str]) -> Iterator[Span]:
    """Yield the spans of secrets with a known shape; *folded* is *text* in lower case, one byte a character."""
    find = marked.find
    start = find(LONG_RUN)
    while start >= 0:
        end = find(b" ", start)
        if folded[start : start + 3] in _rows or folded[start - 1] in _TELLING_ALONE or folded[start - 2 : start] in _TELLING:
            span = _at(text, folded, start, allow)
            if span is not None:
                yield span
                # What follows without a break is looked at as if it began there: it will, once the mask is in place.
                end = span[1]
        start = find(LONG_RUN, end) if end >= 0 else -1


def _at(text: str, folded: bytes, start: int, allow: frozenset[str]) -> Span | None:
    before = folded[start - 1 : start]
    if before == b".":
        start -= _BEFORE_DOT.get(folded[start - 3 : start], 0)
    elif before in _GLUE:
        start = _unglued(text, start, before)
    rows = _rows.get(folded[start : start + 3])
    return _led(text, folded, start, allow) if rows is None else _first(rows, text, start, allow)


def _first(rows: list[tuple[str, Rx]], text: str, start: int, allow: frozenset[str]) -> Span | None:
    for kind, pattern in rows:
        found = pattern.match(text, start)
        if found is not None:
            varied = len(set(found["secret"])) > 4
            return (*found.span("secret"), MASK) if varied and kind not in allow else None
    return None


def _unglued(text: str, start: int, before: bytes) -> int:
    """Return where a run begins without what an escape has glued to it: a colour, ``\\n`` in a string, ``%3D``."""
    if before == b"\\":
        return start + 1
    if before == b"%":
        return start + 2
    colour = _COLOUR.match(text, start)
    return colour.end() if colour is not None and "\x1b" in text[max(0, start - 12) : start] else start


def _led(text: str, folded: bytes, start: int, allow: frozenset[str]) -> Span | None:
    """Return the span of a run that is a secret because of what stands before it."""
    if folded[start - 7 : start] == b"bearer ":
        kind, pattern = "authorization", _BEARER
    elif folded[start - 10 : start] == b"signature=":
        kind, pattern = "url-signature", _SIGNATURE
    elif b"hooks" in folded[max(0, start - 60) : start] and _HOOK.search(text, max(0, start - 60), start):
        kind, pattern = "webhook", _BEARER
    else:
        return None
    found = pattern.match(text, start)
    secret = found is not None and kind not in allow and is_secret(found[0], GENERATED)
    return (*found.span(), MASK) if found is not None and secret else None
