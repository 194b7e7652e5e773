-- The tables of the memory, as a new file gets them; migrations.py brings older files here. Times are seconds since 1970.

CREATE TABLE project (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE CHECK (identity <> ''),
    kind TEXT NOT NULL CHECK (kind IN ('git', 'dir', 'everywhere')),
    label TEXT NOT NULL,
    created_at REAL NOT NULL,
    CHECK ((kind = 'everywhere') = (identity = 'everywhere'))
) STRICT;

CREATE TABLE checkout (
    path TEXT PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES project (id),
    last_seen REAL NOT NULL
) STRICT;

-- Who is writing, and why: set at the start of every transaction of ours and taken back at its end.
CREATE TABLE write_ctx (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    actor TEXT NOT NULL,
    session_id TEXT NOT NULL,
    reason TEXT NOT NULL
) STRICT;
INSERT INTO write_ctx VALUES (1, 'unknown', '', '');

CREATE TABLE item (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,
    project_id INTEGER NOT NULL REFERENCES project (id),
    is_global INTEGER NOT NULL DEFAULT 0 CHECK (is_global IN (0, 1)),
    type TEXT NOT NULL CHECK (type IN ('guardrail', 'ruled_out', 'convention', 'warning', 'decision', 'error_pattern', 'bugfix',
                                       'infra', 'config', 'command', 'research', 'note', 'idea', 'preference')),
    subject_key TEXT CHECK (subject_key <> ''),
    title TEXT NOT NULL CHECK (title <> ''),
    body TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',
    how TEXT NOT NULL DEFAULT '',
    symbol TEXT CHECK (symbol <> ''),
    file_path TEXT CHECK (file_path <> ''),
    lang TEXT CHECK (lang <> ''),
    provenance TEXT NOT NULL CHECK (provenance IN ('user', 'agent', 'tool', 'import')),
    importance INTEGER NOT NULL DEFAULT 5 CHECK (importance BETWEEN 1 AND 10),
    decay_immune INTEGER NOT NULL DEFAULT 0 CHECK (decay_immune IN (0, 1)),
    review TEXT NOT NULL DEFAULT 'unreviewed' CHECK (review IN ('unreviewed', 'confirmed', 'disputed', 'quarantined')),
    valid_from REAL NOT NULL,
    valid_to REAL,
    recorded_at REAL NOT NULL,
    seen_at REAL NOT NULL,
    retired_at REAL,
    retired_why TEXT CHECK (retired_why IN ('superseded', 'forgotten', 'expired', 'merged')),
    superseded_by INTEGER REFERENCES item (id),
    expires_at REAL,
    text_hash TEXT NOT NULL,
    values_hash TEXT NOT NULL DEFAULT '',
    negated INTEGER NOT NULL DEFAULT 0 CHECK (negated IN (0, 1)),
    anchor_hash TEXT,
    anchor_commit TEXT,
    verdict TEXT NOT NULL DEFAULT 'unknown' CHECK (verdict IN ('fresh', 'changed', 'missing', 'unknown')),
    verdict_detail TEXT NOT NULL DEFAULT '',
    verified_at REAL,
    split_ids TEXT NOT NULL DEFAULT '',
    scope_key TEXT NOT NULL GENERATED ALWAYS AS (iif(is_global, 'pall', 'p' || project_id)) STORED,
    CHECK ((retired_at IS NULL) = (retired_why IS NULL)),
    CHECK (valid_to IS NULL OR valid_to >= valid_from)
) STRICT;

-- One current value of a subject.
CREATE UNIQUE INDEX item_subject ON item (project_id, type, subject_key) WHERE retired_at IS NULL AND subject_key IS NOT NULL;
CREATE INDEX item_live ON item (project_id, type, importance DESC, recorded_at DESC, id DESC) WHERE retired_at IS NULL;
CREATE INDEX item_symbol ON item (project_id, symbol) WHERE retired_at IS NULL AND symbol IS NOT NULL;
CREATE INDEX item_file ON item (project_id, file_path) WHERE retired_at IS NULL AND file_path IS NOT NULL;
CREATE INDEX item_global ON item (type, importance DESC, recorded_at DESC, id DESC) WHERE retired_at IS NULL AND is_global = 1;
CREATE INDEX item_values ON item (project_id, type, values_hash, negated) WHERE retired_at IS NULL;
CREATE INDEX item_text ON item (project_id, text_hash);

CREATE TABLE tombstone (
    id INTEGER PRIMARY KEY,
    project_id INTEGER REFERENCES project (id), -- NULL: everywhere
    type TEXT NOT NULL,
    text_hash TEXT NOT NULL,
    values_hash TEXT NOT NULL,
    negated INTEGER NOT NULL CHECK (negated IN (0, 1)),
    words BLOB NOT NULL,
    item_id INTEGER NOT NULL REFERENCES item (id),
    reason TEXT NOT NULL,
    created_at REAL NOT NULL,
    revoked_at REAL
) STRICT;
CREATE INDEX tombstone_text ON tombstone (text_hash) WHERE revoked_at IS NULL;
CREATE INDEX tombstone_values ON tombstone (values_hash, negated) WHERE revoked_at IS NULL;

CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    item_id INTEGER NOT NULL REFERENCES item (id),
    kind TEXT NOT NULL CHECK (kind IN ('anchor_same', 'anchor_changed', 'symbol_missing', 'user_confirm', 'user_dispute', 'corrected')),
    detail TEXT NOT NULL,
    at REAL NOT NULL
) STRICT;
CREATE INDEX evidence_item ON evidence (item_id, id);

CREATE TABLE link (
    src INTEGER NOT NULL REFERENCES item (id),
    dst INTEGER NOT NULL REFERENCES item (id),
    kind TEXT NOT NULL CHECK (kind IN ('related', 'contradicts', 'merged')),
    auto INTEGER NOT NULL CHECK (auto IN (0, 1)),
    PRIMARY KEY (src, dst, kind)
) STRICT, WITHOUT ROWID;

-- Sessions, what was shown in them, and what became of it.

CREATE TABLE session (
    id TEXT PRIMARY KEY CHECK (id <> ''),
    project_id INTEGER REFERENCES project (id),
    host TEXT NOT NULL,
    started_at REAL NOT NULL,
    ended_at REAL,
    end_kind TEXT
) STRICT;

CREATE TABLE rollup (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE REFERENCES session (id),
    project_id INTEGER NOT NULL REFERENCES project (id),
    request TEXT NOT NULL DEFAULT '',
    investigated TEXT NOT NULL DEFAULT '',
    learned TEXT NOT NULL DEFAULT '',
    completed TEXT NOT NULL DEFAULT '',
    next_steps TEXT NOT NULL DEFAULT '',
    notes TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL,
    scope_key TEXT NOT NULL GENERATED ALWAYS AS ('p' || project_id) STORED
) STRICT;

CREATE TABLE list_event (
    list_id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL REFERENCES project (id),
    session_id TEXT NOT NULL,
    channel TEXT NOT NULL,
    query_hash TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    latency_ms REAL NOT NULL,
    model TEXT NOT NULL,
    shown_at REAL NOT NULL,
    rivals BLOB, -- the features of all rows that the last place was drawn from; NULL where chance had no hand
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1))
) STRICT;

CREATE TABLE impression (
    list_id INTEGER NOT NULL REFERENCES list_event (list_id),
    item_id INTEGER NOT NULL REFERENCES item (id),
    channel TEXT NOT NULL,
    rank INTEGER NOT NULL,
    propensity REAL NOT NULL,
    explored INTEGER NOT NULL CHECK (explored IN (0, 1)),
    feature_set TEXT NOT NULL,
    phi BLOB NOT NULL,
    shown_at REAL NOT NULL,
    closes_at REAL NOT NULL,
    outcome TEXT CHECK (outcome IN ('fetched', 'ignored', 'useful', 'wrong')),
    outcome_at REAL,
    learned INTEGER NOT NULL DEFAULT 0 CHECK (learned IN (0, 1)),
    PRIMARY KEY (list_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX impression_open ON impression (closes_at) WHERE outcome IS NULL;
CREATE INDEX impression_item ON impression (item_id, shown_at);

CREATE TABLE bandit (
    project_id INTEGER NOT NULL REFERENCES project (id),
    feature_set TEXT NOT NULL,
    dim INTEGER NOT NULL,
    a BLOB NOT NULL,
    a2 BLOB NOT NULL,
    b BLOB NOT NULL,
    n INTEGER NOT NULL,
    updated_at REAL NOT NULL,
    PRIMARY KEY (project_id, feature_set)
) STRICT, WITHOUT ROWID;

-- "Refuse once, then let pass": the key is a hash, never the arguments.
CREATE TABLE guard_pass (
    session_id TEXT NOT NULL,
    key TEXT NOT NULL,
    first_at REAL NOT NULL,
    second_at REAL,
    PRIMARY KEY (session_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE ledger (
    id INTEGER PRIMARY KEY,
    project_id INTEGER REFERENCES project (id),
    session_id TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('injection', 'advice', 'refusal', 'precondition', 'silence', 'miss')),
    rule TEXT NOT NULL DEFAULT '',
    item_id INTEGER REFERENCES item (id),
    list_id INTEGER REFERENCES list_event (list_id),
    tokens INTEGER NOT NULL DEFAULT 0,
    detail TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL,
    outcome TEXT CHECK (outcome IN ('acted_on', 'ignored', 'insisted', 'was_shown', 'was_not_shown', 'met', 'unmet')),
    outcome_at REAL
) STRICT;
CREATE INDEX ledger_session ON ledger (session_id, kind, at);

CREATE TABLE item_vector (
    item_id INTEGER NOT NULL REFERENCES item (id),
    model TEXT NOT NULL,
    dim INTEGER NOT NULL,
    vec BLOB NOT NULL,
    PRIMARY KEY (item_id, model)
) STRICT, WITHOUT ROWID;

CREATE TABLE calibration (
    model TEXT PRIMARY KEY,
    at REAL NOT NULL,
    rows INTEGER NOT NULL,
    queries INTEGER NOT NULL,
    floor REAL NOT NULL,
    kept REAL NOT NULL,
    leaked REAL NOT NULL
) STRICT;

-- Every change of an item leaves a row; no code path can forget it, and none can take it back.

CREATE TABLE mutation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id INTEGER NOT NULL,
    op TEXT NOT NULL CHECK (op IN ('create', 'edit', 'supersede', 'expire', 'forget', 'merge', 'restore', 'scope', 'review', 'verify',
                                   'delete', 'purge')),
    actor TEXT NOT NULL,
    session_id TEXT NOT NULL,
    reason TEXT NOT NULL,
    before_json TEXT,
    after_json TEXT,
    at REAL NOT NULL
) STRICT;
CREATE INDEX mutation_item ON mutation (item_id, seq);
