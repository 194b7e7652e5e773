"""Secrets that are known by their own shape, as their issuers publish it, whatever stands beside them."""

from __future__ import annotations

from token_saver.redaction.values import MASK
from token_saver.text.rx import rx

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_SHAPES: tuple[tuple[str, str, str], ...] = (
    # kind, what stays, what follows it
    ("github-token", r"gh[opsur]_|github_pat_", r"[A-Za-z0-9_]{22,255}"),
    ("gitlab-token", r"gl(?:pat|dt|rt|ptt|cbt|ft|imt|agent|soat|oas|ffct)-", r"[\w-]{20,300}(?:\.[\w.-]{1,60})?"),
    ("slack-token", r"xox[abeoprs]-|xapp-\d-", r"[A-Za-z0-9-]{16,250}"),
    ("stripe-key", r"[sr]k_(?:live|test)_|whsec_", r"[A-Za-z0-9]{16,250}"),
    ("aws-access-key", r"AKIA|ASIA", r"[A-Z2-7]{16}\b"),
    ("google-api-key", r"AIza", r"[\w-]{35}"),
    ("google-oauth-secret", r"GOCSPX-", r"[\w-]{24,40}"),
    ("npm-token", r"npm_", r"[A-Za-z0-9]{36,60}"),
    ("pypi-token", r"pypi-AgE", r"[\w-]{50,1000}"),
    ("anthropic-key", r"sk-ant-(?:\w{2,8}-)?", r"[\w-]{20,250}"),
    ("openai-key", r"sk-(?:proj|svcacct|admin|None)-|sk-(?=[A-Za-z0-9]{20}T3BlbkFJ|[A-Za-z0-9]{40})", r"[\w-]{20,250}"),
    ("openrouter-key", r"sk-or-v1-", r"[0-9a-f]{40,80}"),
    ("huggingface-token", r"hf_", r"[A-Za-z]{34,40}\b"),
    ("replicate-token", r"r8_", r"[A-Za-z0-9]{37}\b"),
    ("groq-key", r"gsk_", r"[A-Za-z0-9]{40,60}"),
    ("digitalocean-token", r"do[opr]_v1_", r"[0-9a-f]{64}"),
    ("shopify-token", r"shp(?:at|ca|pa|ss)_", r"[0-9a-fA-F]{32}"),
    ("square-token", r"sq0(?:atp|csp)-", r"[\w-]{22,60}"),
    ("twilio-key", r"SK(?=[0-9a-f]{32}\b)", r"[0-9a-f]{32}"),
    ("mailgun-key", r"key-(?=[0-9a-f]{32}\b)", r"[0-9a-f]{32}"),
    ("databricks-token", r"dapi(?=[0-9a-f]{32})", r"[0-9a-f]{32}(?:-\d)?"),
    ("docker-token", r"dckr_(?:pat|oat)_", r"[\w-]{20,60}"),
    ("atlassian-token", r"ATATT3|ATCTT3|ATBB", r"[\w=-]{24,250}"),
    ("newrelic-key", r"NR(?:AK|JS|II)-", r"[A-Za-z0-9]{20,60}"),
    ("grafana-token", r"glsa_|glc_", r"[\w=]{32,400}"),
    ("sentry-token", r"sntry[su]_", r"[\w=+/-]{40,400}"),
    ("supabase-token", r"sbp_|sb_secret_", r"[\w-]{20,80}"),
    ("planetscale-token", r"pscale_(?:tkn|pw|oauth)_", r"[\w.-]{32,64}"),
    ("linear-key", r"lin_api_", r"[A-Za-z0-9]{32,48}"),
    ("postman-key", r"PMAK-", r"[0-9a-f]{24}-[0-9a-f]{34}"),
    ("rubygems-key", r"rubygems_", r"[0-9a-f]{48}"),
    ("age-key", r"AGE-SECRET-KEY-1", r"[0-9A-Z]{50,60}"),
    ("telegram-token", r"(?<=\d:)AA", r"[\w-]{33}(?![\w-])"),
    ("jwt", r"eyJ", r"[\w-]{10,4000}\.(?:eyJ)?[\w-]{10,100000}(?:\.[\w-]*){0,3}"),
    ("sendgrid-key", r"SG\.", r"[\w-]{22}\.[\w-]{43}"),
    ("google-access-token", r"ya29\.", r"[\w.-]{20,2000}"),
    ("vault-token", r"hv[sbr]\.", r"[\w-]{24,300}"),
    ("doppler-token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]{2,35}\.)?", r"[A-Za-z0-9]{40,44}"),
)

PREFIXES = frozenset()
