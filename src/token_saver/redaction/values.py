"""Whether the text beside a secret's name is the secret, or only stands where one would be."""

from __future__ import annotations

from token_saver.redaction.signs import words
from token_saver.text.rx import rx

ANY = 0
"""Everything is the secret that is not plainly a reference to one."""
UNUSUAL = 1
"""A word of letters may be anything: the secret has a digit or a sign in it."""
GENERATED = 2
"""Among code and prose only what a generator made is the secret: long, letters and digits mixed."""

_REFERENCE = rx(
    r"""(?xi)
    [$<{%*\[(@&!|\#]                                                # $TOKEN, <token>, {{ token }}, %s, ***, !vault, |
    | (?:none|null|nil|undefined|true|false|yes|no|on|off|unset|empty|n/a)\W*\Z
    | [x.•_-]*\W*\Z                                                 # empty, xxxx, ...
    | (?:https?|file|s3|gs|arn|vault|op|env|ssm|sops|secret):/?/?   # where the secret is kept
    | (?:please[-_ ]?)?(?:change|replace|redacted|removed|masked|hidden|insert|your|todo|fixme|placeholder)[\w -]*\W*\Z
    | (?:/|~/|\.\.?/|[a-z]:\\)(?:[\w.@ -]{0,24}[/\\])*+[\w.@ -]{0,24}\Z   # /run/secrets/token
    """
)
_NAME_OF_CODE = rx(r"[A-Za-z_$][\w$]*+(?:(?:\.|->|::)[A-Za-z_$][\w$]*+)*+\Z")
_WORDED = rx(r"(?:(?:[A-Za-z]++\d{0,4}|\d{1,4}[A-Za-z]*+)(?:[-_.:/@+]++|\Z))++\Z")
"""Words and short numbers: ``my-service-2``, ``CRAM-MD5``."""
_VERSION = rx(r"[v~^<>=]*\d+(?:[.:,/-]\d+)*[a-z]{0,4}\d*\Z")
_PART = rx(r"[A-Za-z]+|\d+")
_DIGITS = rx(r"\d+")
_EXAMPLES = words(
    "a access account admin alice an api app auth b bar basic bearer bob c client correct credential credentials "
    "db demo doe dummy example fake foo for guest hash here id incorrect invalid is jane joe john jwt key live "
    "login me mock my name new no not of ok old one or pass passphrase passwd password placeholder pw pwd real "
    "refresh root s sample scott secret secrets some something string super t test tester tests text that the "
    "this tiger to token tokens two type unused user username valid value very weak with word wrong x xxx y your "
    "z"
)


def is_reference(value: str) -> bool:
    """Tell whether *value* is no value: empty, masked, a variable, a template, a path, a word for "nothing" or "later"."""
    return _REFERENCE.match(value) is not None


def is_secret(value: str, demand: int) -> bool:
    """Tell whether *value* is a secret, seen with the *demand* that its place makes: ANY, UNUSUAL or GENERATED."""
    if is_reference(value):
        return False
    if demand == ANY:
        return not (value.isdecimal() and len(value) < 4)
    if is_example(value) or any(map(str.isspace, value)):
        return False
    return _is_unusual(value) if demand == UNUSUAL else _is_generated(value)


def is_example(value: str) -> bool:
    """Tell whether *value* is made of the words that documentation and tests put there: ``my-secret-token``."""
    return all(part.isdecimal() or part.lower() in _EXAMPLES for part in _PART.findall(value[:200]))


def _is_unusual(value: str) -> bool:
    return len(value) >= 5 and not value.replace("_", "").replace("-", "").replace(".", "").isalpha()


def _is_generated(value: str) -> bool:
    if len(value) < 8 or not any(map(str.isalpha, value)) or _VERSION.match(value) or _WORDED.match(value):
        return False
    groups = len(_DIGITS.findall(value))
    if _NAME_OF_CODE.match(value):
        return groups > 1 and value.replace("_", "").isalnum()
    return groups > 0
