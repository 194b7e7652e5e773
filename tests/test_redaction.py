"""Redaction: secrets of every kind go, names and places stay, and what only looks like one is left alone.

All secrets are invented. Those with a published shape are put together from parts, so that scanners of this repository
find none.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from token_saver import redaction
from token_saver.redaction import mask, mask_command
from token_saver.redaction.shapes import KINDS
from token_saver.redaction.signs import SIGNS

ROOT = Path(__file__).parent.parent
ALPHANUMERIC = "Zq7Lw2Xr9Vb4Nc6Md1Kf8Jh3Gt5Sy0PaQeRuTiOyWlDkFjHgCxBvNmZs"
HEX = "9f8e7d6c5b4a39281706f5e4d3c2b1a0" * 3
SECRET = "v3ry" + "Hidden" + "7Qz"

SHAPES = {
    "github-token": "ghp_|" + ALPHANUMERIC[:36],
    "github-token (fine-grained)": "github_pat_|" + ALPHANUMERIC[:22] + "_" + ALPHANUMERIC[:50],
    "gitlab-token": "glpat-|" + "x7-_" + ALPHANUMERIC[:16],
    "slack-token": "xoxb-|" + "123456789012-123456789012-" + ALPHANUMERIC[:24],
    "stripe-key": "sk_live_|" + ALPHANUMERIC[:24],
    "aws-access-key": "AKIA|" + "Q7ZL2XR9VB4NC6MD",
    "google-api-key": "AIza|" + "Sy_-" + ALPHANUMERIC[:31],
    "google-oauth-secret": "GOCSPX-|" + ALPHANUMERIC[:28],
    "npm-token": "npm_|" + ALPHANUMERIC[:36],
    "pypi-token": "pypi-AgE|" + "IcHlwaS5vcmc" + ALPHANUMERIC,
    "anthropic-key": "sk-ant-api03-|" + ALPHANUMERIC[:40] + "-_AA",
    "openai-key": "sk-proj-|" + ALPHANUMERIC[:20] + "-_" + ALPHANUMERIC[20:40],
    "openai-key (old)": "sk-|" + ALPHANUMERIC[:48],
    "openrouter-key": "sk-or-v1-|" + HEX[:64],
    "huggingface-token": "hf_|" + ALPHANUMERIC[:34],
    "replicate-token": "r8_|" + ALPHANUMERIC[:37],
    "groq-key": "gsk_|" + ALPHANUMERIC[:52],
    "digitalocean-token": "dop_v1_|" + HEX[:64],
    "shopify-token": "shpat_|" + HEX[:32],
    "square-token": "sq0atp-|" + ALPHANUMERIC[:22],
    "mailgun-key": "key-|" + HEX[:32],
    "databricks-token": "dapi|" + HEX[:32],
    "docker-token": "dckr_pat_|" + ALPHANUMERIC[:27],
    "atlassian-token": "ATATT3|" + "xFfGF0" + ALPHANUMERIC[:50],
    "newrelic-key": "NRAK-|" + ALPHANUMERIC[:27].upper(),
    "grafana-token": "glsa_|" + ALPHANUMERIC[:32] + "_9f8e7d6c",
    "sentry-token": "sntrys_|" + ALPHANUMERIC[:50],
    "supabase-token": "sbp_|" + HEX[:40],
    "planetscale-token": "pscale_tkn_|" + ALPHANUMERIC[:43],
    "linear-key": "lin_api_|" + ALPHANUMERIC[:40],
    "postman-key": "PMAK-|" + HEX[:24] + "-" + HEX[:34],
    "rubygems-key": "rubygems_|" + HEX[:48],
    "age-key": "AGE-SECRET-KEY-1|" + ALPHANUMERIC.upper()[:56] + "QZ",
    "jwt": "eyJ|" + "hbGciOiJIUzI1NiJ9.eyJ" + ALPHANUMERIC[:30] + "." + ALPHANUMERIC[:43],
    "sendgrid-key": "SG.|" + ALPHANUMERIC[:22] + "." + ALPHANUMERIC[:43],
    "google-access-token": "ya29.|" + "a0Af" + ALPHANUMERIC,
    "vault-token": "hvs.|" + "CAES" + ALPHANUMERIC[:40],
    "doppler-token": "dp.pt.|" + ALPHANUMERIC[:43],
}

BESIDE_NAMES = """
AWS_SECRET_ACCESS_KEY=«»
export GITHUB_TOKEN=«»
declare -x DB_PASSWORD="«»"
export SECRET_KEY_BASE='«»'
PGPASSWORD=«»
SMTP_PASS=«»
TOKEN_GITHUB=«»
STRIPE_KEY=«»
+DB_PASSWORD=«»
-DB_PASSWORD=«»
.env:3:DB_PASSWORD=«»
config/.env.production:API_KEY=«»
      - POSTGRES_PASSWORD=«»
      "POSTGRES_PASSWORD=«»",
ENV NPM_AUTH_TOKEN=«»
ENV DB_PASSWORD «»
$env:AZURE_CLIENT_SECRET="«»"
docker run -e MYSQL_ROOT_PASSWORD=«» mysql:8
[PATH=/usr/bin MYSQL_PASSWORD=«» LANG=C]
  "password": "«»",
  "client_secret": "«»",
  "SecretAccessKey": "«»",
{"user":"amber","apiKey":"«»","port":1}
{\\"user\\":\\"amber\\",\\"password\\":\\"«»\\"}
password: «»
  api_key: «»
      DB_PASSWORD:   «»
  DB_PASSWORD:  «»  # rotated
password = "«»"
api-key = '«»'
PASSWORD = "«»"
const apiKey = "«»";
let authToken: string = "«»";
token: Optional[str] = "«»"
self.password = '«»'
login(user="amber", password="«»")
:secret_token => "«»",
'password' => '«»',
password := "«»"
String clientSecret = "«»";
os.environ["API_TOKEN"] = "«»"
#define API_KEY "«»"
spring.datasource.password=«»
//registry.example/:_authToken=«»
<password>«»</password>
<add key="ApiKey" value="«»" />
{"name": "DB_PASSWORD", "value": "«»"}
- name: DB_PASSWORD\\n  value: «»
Server=db;User Id=sa;Password=«»;Encrypt=true
DefaultEndpointsProtocol=https;AccountName=amber;AccountKey=«»==;EndpointSuffix=x
host=localhost password=«» dbname=app
2024-05-01T10:00:00Z INFO connect user=amber password=«» ok
GET /v1/items?access_token=«»&page=2 HTTP/1.1
x-api-key: «»
< X-Vault-Token: «»
PRIVATE-TOKEN: «»
machine api.example login amber password «»
CREATE USER amber WITH PASSWORD '«»';
amber  4711  0.0  app serve --password=«» --port 80
amber  4711  0.0  app serve --api-key «» --port 80
+ mysql -uroot -p«» -e 'select 1'
+ mysqldump --all -h db -p'«»' app
sshpass -p «» ssh amber@host
postgres://amber:«»@db.example:5432/app
redis://:«»@cache.example/0
https://amber:«»@git.example/x.git (fetch)
https://«»9f8e7d6c5b4a@git.example/x.git
Authorization: Bearer «»
> authorization: Basic «»==
"Authorization": "Bearer «»",
-H 'Authorization: token «»'
headers["Authorization"] = "Bearer «»"
Proxy-Authorization: Basic «»
got 401 for Bearer «»9f8e7d6c5b4a
Set-Cookie: sessionid=«»; Path=/; HttpOnly
> Cookie: lang=en; session_token=«»
https://x.blob.example/c?sv=2022-11-02&sig=«»%2Bx9f8e7d6c5b4a%3D&se=2024
https://hooks.slack.com/services/T00AMBER1/B00BIRCH2/«»9f8e7d6c5b4a
""".strip().splitlines()


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("frame", ["{}", "key is {}.", '"{}"', "a={};", "\x1b[1;32m{}\x1b[0m", "x\\n{}", "url?q=%3D{}", "| {} |"])
def test_secrets_with_a_shape_of_their_own_are_masked_anywhere(kind: str, frame: str) -> None:
    """The prefix that tells the kind stays, the rest goes, whatever stands around it."""
    visible, hidden = SHAPES[kind].split("|")
    masked, count = mask(frame.format(visible + hidden))
    assert masked == frame.format(visible + "***")
    assert count == 1


def test_every_shape_has_a_test() -> None:
    """A new row of the table needs an invented example here."""
    assert {kind.partition(" ")[0] for kind in SHAPES} == KINDS.keys()


@pytest.mark.parametrize("line", BESIDE_NAMES)
def test_values_beside_a_telling_name_are_masked(line: str) -> None:
    """The value goes, the name and everything else on the line stays."""
    before, _, after = line.replace("\\n", "\n").partition("«»")
    masked, count = mask(f"first line\n{before}{SECRET}{after}\nlast line\n")
    assert SECRET not in masked
    assert count == 1
    assert masked.startswith(f"first line\n{before.rstrip(chr(34))}")
    assert masked.endswith("\nlast line\n")


ORDINARY = """
class Session:
    token: Optional[str] = None
    password_hash: bytes
    secret_key_id: int = 7
    def rotate(self, token: str, api_key: ApiKey) -> None:
        self.token = token
    password: string;
    apiKey?: Uint8Array;
    private token: CancellationToken2;
password = getpass.getpass("Password for v2: ")
password = settings.DATABASES["default"]["PASSWORD"]
token = tokens[0]
token = self._token_v2
secret = load_secret(path="/run/secrets/db1")
if password == "hunter2x": pass
api_key=api_key, token=token2, password=password1)
AUTHOR=Dev Amber
MONKEY_MODE=on
PWD=/home/amber/project1
OLDPWD=/home/amber
MAX_TOKENS=4096
TOKEN_URL=https://login.example/oauth2/token
DB_PASSWORD_FILE=/run/secrets/db_password_1
GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D
CACHE_KEY=v2-linux-x64-9f8e7d6c
PASSWORD=${DB_PASSWORD}
PASSWORD=$(cat /run/secrets/db1)
TOKEN=
TOKEN=***
SECRET=xxxxxxxx
API_KEY=<your-api-key>
API_KEY=your_api_key_1
DB_PASSWORD=changeme
password: "{{ vault_password1 }}"
password: !vault |
password: null
password: ''
password: Enter your new password
Password:
"password": "password1",
"token_type": "bearer",
"next_token": "eyJhbGciOiJub25lIn0Zq7Lw2Xr9Vb4",
"tokens": 1234567,
secretKeyRef: db-credentials-v2
secretName: tls-secret-2024
passed: 12, tokenizer: bpe2, keyboard: qwerty5
the token: see chapter 12
error: invalid token: unexpected "}" at 12:4
Authorization: Bearer <token>
Authorization: Bearer ${TOKEN}
"Authorization": f"Bearer {token}"
Authorization: Basic authentication
Bearer authentication_is_required_here
Set-Cookie: theme=dark; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT
cookie: A.exports.stream=makeDispatcher(B.stream_token1)
postgres://user:password@localhost/db
postgres://${USER}:${PASSWORD}@localhost/db
https://github.com/amber/birch.git
git@github.com:amber/birch.git
amber@example.com:8080
commit 9f8e7d6c5b4a39281706f5e4d3c2b1a0aabbccdd
index 9f8e7d6c5b..4a39281706 100644
"integrity": "sha512-Zq7Lw2Xr9Vb4Nc6Md1Kf8Jh3Gt5Sy0PaQeRuTiOyWlDkFjHgCxBvNmZs9f8e7d6c5b4a3928170==",
sha256:9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0
id: 123e4567-e89b-12d3-a456-426614174000
arn:aws:secretsmanager:eu-north-1:123456789012:secret:amber-1a2b3c
"AWS::IAM::AccessKey": "62d91b17309e76c8",
"AWS::Config::AggregationAuthorization": "af318b77aaceeeaa",
"invalid_token": "E4711-Q99x7",
TOKEN_ID=9f8e7d6c5b4a3928
AUTH_TOKEN=1
DB_PASSWORD=no
api_key: "v20240501.12"
"secret": "birch-service-2-staging",
clientToken: __string2Max64Pattern9;
lifetimeToken: e.token2x9??!1,
connect(password=pw2xyz if secure else None)
connect(host, password=pw2xyz if secure else None)
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
AKIAIOSFODNN7EXAMPLE
sk-fading-circle-animation-duration-1s
npm_config_registry_default_value_for_tests
test_ghp_token_is_parsed_when_it_is_old_enough
document_processing_engine_version_2_final
-----BEGIN PUBLIC KEY-----
BEGIN = "-----BEGIN RSA PRIVATE KEY-----"; END = "-----END RSA PRIVATE KEY-----"
mkdir -p src/token/password1
mysql -uroot -p -e 'select 1'
mysql --port 3306
git commit -m 'rotate token: use v2keys1'
""".strip().splitlines()


@pytest.mark.parametrize("line", ORDINARY)
def test_what_only_looks_like_a_secret_is_left_alone(line: str) -> None:
    """Types, parameters, code, hashes, ids, placeholders and references come back as the same object."""
    text = f"first line\n{line}\nlast line\n"
    masked, count = mask(text)
    assert masked is text
    assert count == 0


def test_the_rest_of_an_environment_line_is_the_value() -> None:
    """``env`` prints values without quotes: blanks and signs belong to them; a command that follows does not."""
    text = "DB_PASSWORD=correct horse; battery=staple\nGITHUB_TOKEN=amber birch cedar\nLANG=C\n"
    assert mask(text)[0] == "DB_PASSWORD=***\nGITHUB_TOKEN=***\nLANG=C\n"
    assert mask("PGPASSWORD=amber psql -h db\n")[0] == "PGPASSWORD=*** psql -h db\n"
    assert mask("DB_PASSWORD=amber\r\nLANG=C\r\n")[0] == "DB_PASSWORD=***\r\nLANG=C\r\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("password=", ""),
        ("PASSWORD=", ""),
        ("export DB_PASSWORD=", ""),
        ("protocol=https\nusername=birch\npassword=", ""),
        ("[client]\nuser = birch\npassword = ", ""),
        ("machine api.example login birch password ", ""),
        ("machine api.example\n  login birch\n  password ", ""),
        ('    "POSTGRES_PASSWORD=', '",'),
        ('{"name": "DB_PASSWORD", "value": "', '"}'),
        ("mysql -p", " app"),
        ("https://birch:", "@git.example/x.git"),
    ],
)
def test_a_weak_password_goes_where_it_can_be_nothing_else(before: str, after: str) -> None:
    """Letters alone are masked in files of settings, in environments and in URLs."""
    text = f"{before}letmein{after}\n"
    assert mask(text) == (f"{before}***{after}\n", 1)


def test_variables_in_two_columns_are_masked() -> None:
    """As ``kubectl describe pod`` lists the environment."""
    text = "    Environment:\n      DB_PASSWORD:  letmein now\n      LOG_LEVEL:    debug\n"
    assert mask(text)[0] == text.replace("letmein now", '"***"')
    reference = "      DB_PASSWORD:  <set to the key 'password' in secret 'birch'>  Optional: false\n"
    assert mask(reference) == (reference, 0)


@pytest.mark.parametrize("name", ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"])
@pytest.mark.parametrize(
    ("lead", "end"), [("", "\n"), ("", "\r\n"), ("    ", "\n"), ("+", "\n"), ("> ", "\n"), ("", "\\n"), ("", "\\r\\n")]
)
def test_private_keys_keep_their_two_lines(name: str, lead: str, end: str) -> None:
    """Header, ``***`` and footer remain, with indentation, in a diff, on one line of JSON; certificates stay whole."""
    body = [ALPHANUMERIC + "+/", HEX[:64], ALPHANUMERIC[:30] + "=="]
    lines = [f"-----BEGIN {name}-----", *body, f"-----END {name}-----"]
    masked, count = mask(f"before{end}" + "".join(f"{lead}{line}{end}" for line in lines) + "after")
    kept = [lines[0], "***", lines[-1]]
    assert masked == f"before{end}" + "".join(f"{lead}{line}{end}" for line in kept) + "after"
    assert count == 1


def test_a_private_key_that_was_cut_is_masked_too() -> None:
    """``head`` shows no last line and ``tail`` no first one."""
    head, foot = "-----BEGIN " + "PRIVATE KEY-----\n", "-----END " + "PRIVATE KEY-----\n"
    body = f"{ALPHANUMERIC}\n{HEX[:64]}\n"
    assert mask(f"{head}{body}next line\n")[0] == f"{head}***\nnext line\n"
    assert mask(f"first line\n{body}{foot}next\n")[0] == f"first line\n***\n{foot}next\n"
    assert mask(f"{body}{foot}")[0] == f"***\n{foot}"


def test_a_certificate_is_no_secret() -> None:
    """Public material stays."""
    text = f"-----BEGIN CERTIFICATE-----\n{ALPHANUMERIC}\n{HEX[:64]}\n-----END CERTIFICATE-----\n"
    assert mask(text) == (text, 0)


OWNED_SECRET = """apiVersion: v1
kind: Secret
metadata:
  ownerReferences:
  - kind: Birch
data:
  password: aGVsbG8=
"""
YAML_SECRETS = """apiVersion: v1
items:
- apiVersion: v1
  data:
    colour: green
  kind: ConfigMap
- apiVersion: v1
  data:
    tls.crt: aGVsbG8=
    username: YW1iZXI=
  kind: Secret
  metadata:
    name: birch
kind: List
"""


def test_every_value_of_a_kubernetes_secret_is_masked() -> None:
    """The keys of a Secret are free, so its kind decides; other objects of the list stay, and the YAML stays valid."""
    masked, count = mask(YAML_SECRETS)
    assert masked == YAML_SECRETS.replace("aGVsbG8=", '"***"').replace("YW1iZXI=", '"***"')
    assert count == 2
    assert mask(OWNED_SECRET)[0] == OWNED_SECRET.replace("aGVsbG8=", '"***"')


@pytest.mark.parametrize("escape", [False, True])
def test_a_kubernetes_secret_in_json_is_masked(escape: bool) -> None:
    """Also within the annotation that holds the object as it was applied last."""
    text = '{"apiVersion":"v1","data":{"user":"YW1iZXI=","ca.crt":"aGVsbG8="},"kind":"Secret","metadata":{"name":"birch"}}'
    wanted = text.replace("YW1iZXI=", "***").replace("aGVsbG8=", "***")
    if escape:
        text, wanted = text.replace('"', '\\"'), wanted.replace('"', '\\"')
    assert mask(text) == (wanted, 2)
    assert mask(text.replace('":', '": '))[1] == 2


def test_lists_of_credentials_in_a_header_are_masked_whole() -> None:
    """Digest and signed headers hold several parameters; the scheme stays."""
    for scheme in ("Digest", "AWS4-HMAC-SHA256", "OAuth"):
        line = f'< Authorization: {scheme} username="amber", response="{SECRET}", x=1'
        assert mask(line)[0] == f"< Authorization: {scheme} ***"


COMMANDS = """
mysql -uroot -p«» -e 'select 1'
mysqldump -p'«»' app
sshpass -p «» ssh host
docker login -u amber -p «» registry.example
redis-cli -h cache -a «» ping
curl -u amber:«» https://x.example
curl -sS --user 'amber:«»' https://x.example
http -a amber:«» x.example
curl -H 'X-Api-Key: «»' https://x.example
curl -H "Authorization: Bearer «»" https://x.example
curl https://x.example/?access_token=«»&page=1
git clone https://amber:«»@git.example/x.git
git push https://«»@git.example/x.git
openssl rsa -in k.pem -passin pass:«»
app login --password «»
app login --password=«» --verbose
app login --api-key "«»"
deploy --token='«»'
API_TOKEN=«» ./deploy.sh
env DB_PASSWORD=«» ./migrate
export GITHUB_TOKEN=«»
echo '«»' | docker login --password-stdin
printf «» | sudo -S apt update
gh auth login --with-token <<< «»
psql "host=db password=«» user=amber"
vault login s.«»
""".strip().splitlines()


@pytest.mark.parametrize("line", COMMANDS)
@pytest.mark.parametrize("secret", [SECRET + HEX[:12], "amberbirch" + "9f8e7d6c5b4a3928"])
def test_a_recorded_command_holds_no_secret(line: str, secret: str) -> None:
    """Whatever hands a secret to a program, the record of the command has the program and its options only."""
    before, _, after = line.partition("«»")
    assert mask_command(before + secret + after).replace("s.***", "***") == before.removesuffix("s.") + "***" + after


@pytest.mark.parametrize("weak", ["amber", "letmein", "1234", "p"])
def test_a_recorded_command_hides_weak_passwords_too(weak: str) -> None:
    """A word of letters that follows a telling option is hidden in the record."""
    assert mask_command(f"app --password {weak} run") == "app --password *** run"
    assert mask_command(f"mysql -p{weak} app") == "mysql -p*** app"


@pytest.mark.parametrize(
    "command",
    [
        "git status --short",
        "pytest -k 'token and password' tests/test_tokens.py",
        "grep -rn password src",
        'rg "api_key" --type py',
        "cat secrets.yaml",
        "app --password $DB_PASSWORD --token-file /run/secrets/token",
        "mkdir -p src/token",
        "docker login --password-stdin registry.example",
        "curl -u $USER:$PASSWORD https://x.example",
        "npm run token:generate",
    ],
)
def test_an_ordinary_command_is_recorded_as_it_is(command: str) -> None:
    """Words about secrets, variables and files are no secrets."""
    assert mask_command(command) == command


def test_allowed_names_and_kinds_stay() -> None:
    """A name in any case and a kind of shape; everything else is masked as before."""
    token = "ghp_" + ALPHANUMERIC[:36]
    text = f"GITHUB_TOKEN={token}\nDB_PASSWORD={SECRET}\n"
    assert mask(text, frozenset({"github_token"})) == (f"GITHUB_TOKEN={token}\nDB_PASSWORD=***\n", 1)
    assert mask(f"see {token}", frozenset({"github-token"})) == (f"see {token}", 0)
    assert mask(f"see {token}", frozenset({"jwt"}))[1] == 1
    url = f"redis://:{SECRET}@cache.example/0"
    assert mask(url, frozenset({"url-password"})) == (url, 0)
    owned = OWNED_SECRET.replace("aGVsbG8=", "two, words")
    assert mask(owned, frozenset({"Password"})) == (owned, 0)
    for kind, line in {
        "authorization": f"401 for Bearer {HEX[:40]}",
        "url-signature": f"https://x.example/y?X-Signature={HEX[:64]}",
        "webhook": f"https://discord.example/api/webhooks/123456789012345678/{ALPHANUMERIC}",
    }.items():
        assert mask(line)[1] == 1
        assert mask(line, frozenset({kind})) == (line, 0)


def test_machine_formats_stay_valid() -> None:
    """A masked JSON document parses, and a bare YAML value does not become an alias."""
    import json

    document = json.dumps({"password": SECRET, "nested": {"api_key": SECRET, "n": 1}, "text": f'say "token": "{SECRET}"'})
    masked, count = mask(document)
    assert json.loads(masked)["nested"] == {"api_key": "***", "n": 1}
    assert count == 3
    assert mask(f"password: {SECRET}\n")[0] == 'password: "***"\n'


ATOMS = st.sampled_from(
    [
        *(shape.replace("|", "") for shape in SHAPES.values()),
        *(line.replace("«»", SECRET) for line in BESIDE_NAMES),
        *ORDINARY,
        *YAML_SECRETS.splitlines(),
        "-----BEGIN " + "PRIVATE KEY-----",
        "-----END " + "PRIVATE KEY-----",
        HEX,
        ALPHANUMERIC,
        "***",
        "password",
        "token",
        "=",
        ": ",
        '"',
        "'",
        "\\n",
        " ",
        "é",
        "\U0001f511",
        "\udce9",
        "\x1b[32m",
    ]
)
TEXTS = st.lists(st.tuples(ATOMS | st.text(max_size=8), st.sampled_from(["", "\n", " ", "=", "\r\n", '"']))).map(
    lambda parts: "".join(atom + link for atom, link in parts)
)


@given(TEXTS)
def test_masking_twice_is_masking_once(text: str) -> None:
    """A masked text holds nothing more to mask, and comes back as the same object."""
    masked, count = mask(text)
    assert (masked is text) == (count == 0)
    again, more = mask(masked)
    assert again is masked
    assert more == 0


def test_a_secret_that_a_mask_brings_to_light_is_masked_too() -> None:
    """A name that was glued to a token has a boundary once the token is gone."""
    text = "dop_v1_" + HEX[:64] + f"TOKEN_GITHUB={SECRET}"
    assert mask(text) == ("dop_v1_***TOKEN_GITHUB=***", 2)


@given(TEXTS)
def test_a_masked_command_stays_as_it_is(text: str) -> None:
    """The record of a command is the same when it is masked again."""
    masked = mask_command(text)
    assert mask_command(masked) == masked


@given(st.text(alphabet="pasword tokenkeyscr=:\"'*-@/\\\n\t.{}$<>0123 éK", max_size=60))
def test_masking_only_replaces(text: str) -> None:
    """What is left around the masks is the text's own, in order."""
    masked, count = mask(text)
    position = 0
    for part in masked.replace('"***"', "***").split("***") if count else [text]:
        assert part in text[position:]
        position = text.index(part, position) + len(part)


HOSTILE = {
    "names": "password" * 8,
    "separators": "password" + " " * 200,
    "equals": "token=",
    "quotes": 'password="',
    "escapes": 'password=\\"\\\\',
    "urls": "a://b:c@",
    "ats": "x://" + "@" * 50,
    "keys": "-----BEGIN " + "PRIVATE KEY-----\n",
    "feet": ALPHANUMERIC + "\n-----END " + "PRIVATE KEY-----\n",
    "runs": "ghp_" + "a" * 40 + ".",
    "jwts": "eyJ" + "a" * 30 + ".",
    "secrets": "apiVersion: v1\ndata:\n  a: b\nkind: Secret\n",
    "kinds": "kind: Secret\n",
    "cookies": "cookie: a=b; ",
    "headers": "authorization: digest a=",
    "options": "mysql -p ",
    "one run": "a",
    "dashes": "-",
    "elements": "<password>",
    "numbers": "password: 1",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_time_grows_with_the_size_of_the_text(unit: str) -> None:
    """Eight times the text takes at most about eight times as long, whatever it repeats, on one line or many."""

    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = 60.0
        for _ in range(3):
            began = time.process_time()
            mask(text)
            best = min(best, time.process_time() - began)
        return best

    assert seconds(400_000) <= 20 * seconds(50_000) + 0.02


def test_large_output_without_secrets_is_read_fast() -> None:
    """Well over what is asked for is usual; the bound leaves room for a busy machine."""
    chosen = random.Random(7)
    words = [line.split()[0] for line in ORDINARY[:8]] + ["building", "module", "in", "12ms", "src/app/main.rs", "warning:"]
    text = "\n".join(" ".join(chosen.choices(words[8:], k=9)) for _ in range(40_000))
    began = time.process_time()
    assert mask(text)[1] == 0
    assert len(text) / (time.process_time() - began) > 20_000_000


def test_masking_loads_nothing_heavy() -> None:
    """The package is on the hot path: its modules ask for no regular expressions until something has to be read."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import token_saver.redaction as r; r.mask('plain text\\n' * 99); "
        "import token_saver.redaction.password_option, token_saver.redaction.shapes; print(*sys.modules)"
    )
    src = str(Path(redaction.__file__).parent.parent.parent)
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", script, src], capture_output=True, text=True, check=True)
    assert {"re", "typing", "enum", "functools", "dataclasses", "collections", "json"} & set(loaded.stdout.split()) == set()


def test_the_page_on_redaction_is_fresh() -> None:
    """docs/redaction.md lists the kinds of the table."""
    command = [sys.executable, str(ROOT / "scripts" / "make_docs.py"), "redaction", "--check"]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr


def test_every_kind_that_reads_a_place_is_explained() -> None:
    """A reader that is added is a kind that one may allow, so the page must name it."""
    page = (ROOT / "docs" / "redaction.md").read_text(encoding="utf-8")
    assert {module for _, modules in SIGNS for module in modules if f"`{module}`" not in page} == set()


def test_a_history_is_not_read_closely_and_a_secret_in_it_still_is() -> None:
    """Every commit has a hash, the word Author and an address; none of the three hides what stands beside it."""
    history = f"commit {HEX[:40]}\nAuthor: A. Person <a.person@mail.example>\nDate:   today\n\n    Authored by authors\n"
    asked = (
        "import sys; from token_saver.redaction import mask; mask(sys.argv[1]);"
        "print([name for name in sys.modules if 'redaction.' in name])"
    )
    command = [sys.executable, "-c", asked, history]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert loaded.strip() == "['token_saver.redaction.signs']"
    for line in (
        f"author_password={SECRET}",
        f"author: Authorization: Bearer {HEX[:40]}",
        f"x@y https://author:{SECRET}@z.example",
    ):
        assert mask(history + line)[1] == 1, line
