"""Which names say that their value is a secret.

A name is read as words: ``AWS_SECRET_ACCESS_KEY``, ``aws-secret-access-key`` and ``awsSecretAccessKey`` are the same. The
last word decides, so that ``password_hash``, ``token_type`` and ``secret_key_id`` are no secrets.
"""

from __future__ import annotations

from token_saver.redaction.signs import words
from token_saver.text.rx import rx

NOT_SECRET = 0
GUESS = 1
"""The name of a variable of the environment that may hold a secret: STRIPE_KEY, TOKEN_GITHUB."""
TOKEN = 2
"""The value is a secret when it looks like one: these names are also given to ordinary things."""
PASSWORD = 3
"""The value is a secret unless it is plainly none."""

_WORD = rx(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_PASSWORD_WORDS = frozenset({"password", "passwd", "passphrase", "passcode", "passwort", "pwd"})
_TOKEN_WORDS = frozenset({"token", "secret", "credential", "credentials", "apikey", "pass", "auth", "accesskey", "pat"})
_GLUED = ("password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "secretkey", "privatekey")
"""Endings of names that are written without any boundary: PGPASSWORD, accesstoken."""

_KEY_OWNERS = words(
    "access account admin api app application auth client consumer crypt db decryption deploy encrypt encryption "
    "hmac host ingest integration jwt license master private root secret security server service session shared "
    "signing ssh ssl storage subscription tls webhook write"
)
"""What makes a key a secret one: ``api_key``, but not ``primary_key`` or ``key``."""

_OPEN_KEYS = words(
    "cache foreign gpg hash hot idempotency index join lookup partition pgp pk primary public range routing row sort super unique"
)

_NEUTRAL = words(
    "b64 backup base base64 current default dev env hex live local main new next old plain plaintext prev "
    "previous primary prod production raw secondary staging str string test val value"
)
"""Words at the end of a name that change nothing: SECRET_KEY_BASE, PASSWORD_OLD."""

_ABOUT = words(
    "age agent alg algorithm arn at attempts audience backend bits budget bytes cache callback chain change class "
    "client cmd column command count counts created date days description dict digest dir directory email enabled "
    "encoding endpoint engine env error expiration expire expires expiry field fields file files format function "
    "generator handler hash hashes header headers helper hint host id ids index issuer kind label len length "
    "lifetime limit limits list manager map max message method min mode msg name names optional param parameter "
    "path paths pattern placeholder policies policy port prefix program prompt provider ref reference regex "
    "required reset response retries ring rotation rule salt scheme scope scopes script server service set size "
    "source state status store strength style suffix table template text time timeout title ttl type types "
    "updated uri url urls usage used user username validator var variable vault version window"
)
"""Words at the end of a name that speak about a secret without holding it: TOKEN_URL, PASSWORD_FILE."""

_QUESTIONS = words(
    "allow allows ask can change check disable enable expired forgot has have hide invalid is max min missing n "
    "need needs no num require requires reset show total use uses validate verify with without wrong"
)
"""First words that make a name a question or a count: ``has_token``, ``max_token``."""

_OPEN_TOKENS = words(
    "cancel cancellation continuation creation idempotency lock next page pagination purchase request start starting sync"
)
"""Tokens that are no secrets: the caller must hand them back to go on (``NextToken``)."""


_MOST_JUDGED = 5_000
_judged: dict[str, int] = {}
"""Names come back again and again in one output."""


def strength(name: str) -> int:
    """Return NOT_SECRET, GUESS, TOKEN or PASSWORD for a name."""
    found = _judged.get(name)
    if found is None:
        if len(_judged) >= _MOST_JUDGED:
            _judged.clear()
        found = _judged[name] = _judge(name)
    return found


def _judge(name: str) -> int:
    parts = [word.lower() for word in _WORD.findall(name)]
    if not parts or parts[0] in _QUESTIONS:
        return NOT_SECRET
    full = list(parts)
    while len(parts) > 1 and (parts[-1] in _NEUTRAL or len(parts[-1]) == 1):
        parts.pop()
    found = _last_words(parts)
    if not found and name.isupper():
        found = _first_word(full)
    return found


def _last_words(parts: list[str]) -> int:
    last = parts[-1]
    before = parts[-2] if len(parts) > 1 else ""
    if last in _PASSWORD_WORDS:
        # A shell's PWD and OLDPWD are directories.
        return NOT_SECRET if last == "pwd" and before in ("", "old") else PASSWORD
    if last == "key":
        return TOKEN if before in _KEY_OWNERS else NOT_SECRET
    if last == "token" and not _OPEN_TOKENS.isdisjoint(parts):
        return NOT_SECRET
    if last in _TOKEN_WORDS:
        return PASSWORD if last == "secret" and before == "client" else TOKEN
    if last.endswith(_GLUED) and not last.endswith(("tokenizer", "nexttoken")):
        return PASSWORD if last.endswith(("password", "passwd", "passphrase")) else TOKEN
    return NOT_SECRET


def _first_word(parts: list[str]) -> int:
    """Read the names of environment variables that begin with the word: TOKEN_GITHUB; also STRIPE_KEY."""
    if len(parts) < 2 or parts[-1] in _ABOUT:
        return NOT_SECRET
    if parts[-1] == "key":
        return NOT_SECRET if parts[-2] in _OPEN_KEYS else GUESS
    if parts[0] in _PASSWORD_WORDS or parts[0] in ("token", "secret", "apikey"):
        return GUESS
    return NOT_SECRET
