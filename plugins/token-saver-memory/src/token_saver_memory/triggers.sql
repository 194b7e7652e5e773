-- What keeps the log, the full-text index and the one source of reads in step; laid down anew after every migration.

CREATE VIEW visible_item AS
SELECT * FROM item
WHERE retired_at IS NULL
  AND review NOT IN ('quarantined', 'disputed')
  AND (expires_at IS NULL OR expires_at > (julianday('now') - 2440587.5) * 86400.0);

CREATE VIRTUAL TABLE IF NOT EXISTS item_fts USING fts5(
    title, body, why, split_ids, scope_key,
    content = 'item', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE IF NOT EXISTS rollup_fts USING fts5(
    request, investigated, learned, completed, next_steps, notes, scope_key,
    content = 'rollup', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE IF NOT EXISTS item_terms USING fts5vocab('item_fts', 'row');

CREATE TRIGGER item_fts_insert AFTER INSERT ON item BEGIN
    INSERT INTO item_fts (rowid, title, body, why, split_ids, scope_key)
    VALUES (new.id, new.title, new.body, new.why, new.split_ids, new.scope_key);
END;
CREATE TRIGGER item_fts_delete AFTER DELETE ON item BEGIN
    INSERT INTO item_fts (item_fts, rowid, title, body, why, split_ids, scope_key)
    VALUES ('delete', old.id, old.title, old.body, old.why, old.split_ids, old.scope_key);
END;
CREATE TRIGGER item_fts_update AFTER UPDATE OF title, body, why, split_ids, is_global, project_id ON item BEGIN
    INSERT INTO item_fts (item_fts, rowid, title, body, why, split_ids, scope_key)
    VALUES ('delete', old.id, old.title, old.body, old.why, old.split_ids, old.scope_key);
    INSERT INTO item_fts (rowid, title, body, why, split_ids, scope_key)
    VALUES (new.id, new.title, new.body, new.why, new.split_ids, new.scope_key);
END;

CREATE TRIGGER rollup_fts_insert AFTER INSERT ON rollup BEGIN
    INSERT INTO rollup_fts (rowid, request, investigated, learned, completed, next_steps, notes, scope_key)
    VALUES (new.id, new.request, new.investigated, new.learned, new.completed, new.next_steps, new.notes, new.scope_key);
END;
CREATE TRIGGER rollup_fts_delete AFTER DELETE ON rollup BEGIN
    INSERT INTO rollup_fts (rollup_fts, rowid, request, investigated, learned, completed, next_steps, notes, scope_key)
    VALUES ('delete', old.id, old.request, old.investigated, old.learned, old.completed, old.next_steps, old.notes, old.scope_key);
END;
CREATE TRIGGER rollup_fts_update AFTER UPDATE ON rollup BEGIN
    INSERT INTO rollup_fts (rollup_fts, rowid, request, investigated, learned, completed, next_steps, notes, scope_key)
    VALUES ('delete', old.id, old.request, old.investigated, old.learned, old.completed, old.next_steps, old.notes, old.scope_key);
    INSERT INTO rollup_fts (rowid, request, investigated, learned, completed, next_steps, notes, scope_key)
    VALUES (new.id, new.request, new.investigated, new.learned, new.completed, new.next_steps, new.notes, new.scope_key);
END;

CREATE TRIGGER everywhere_is_global BEFORE INSERT ON item
WHEN new.is_global = 0 AND (SELECT kind FROM project WHERE id = new.project_id) = 'everywhere' BEGIN
    SELECT raise(ABORT, 'what belongs to no project must be global');
END;
CREATE TRIGGER everywhere_stays_global BEFORE UPDATE OF is_global, project_id ON item
WHEN new.is_global = 0 AND (SELECT kind FROM project WHERE id = new.project_id) = 'everywhere' BEGIN
    SELECT raise(ABORT, 'what belongs to no project must be global');
END;

CREATE TRIGGER item_logged_insert AFTER INSERT ON item BEGIN
    INSERT INTO mutation (item_id, op, actor, session_id, reason, before_json, after_json, at)
    SELECT new.id, 'create', actor, session_id, reason, NULL, {new}, {now} FROM write_ctx;
END;
CREATE TRIGGER item_logged_update AFTER UPDATE ON item
WHEN {old} IS NOT {new} BEGIN
    INSERT INTO mutation (item_id, op, actor, session_id, reason, before_json, after_json, at)
    SELECT new.id,
           CASE
               WHEN old.retired_at IS NULL AND new.retired_at IS NOT NULL THEN
                   CASE new.retired_why WHEN 'superseded' THEN 'supersede' WHEN 'forgotten' THEN 'forget'
                                        WHEN 'expired' THEN 'expire' ELSE 'merge' END
               WHEN old.retired_at IS NOT NULL AND new.retired_at IS NULL THEN 'restore'
               WHEN old.is_global <> new.is_global OR old.project_id <> new.project_id THEN 'scope'
               WHEN old.review <> new.review THEN 'review'
               WHEN old.verdict <> new.verdict OR old.anchor_hash IS NOT new.anchor_hash THEN 'verify'
               ELSE 'edit'
           END,
           actor, session_id, reason, {old}, {new}, {now} FROM write_ctx;
END;
CREATE TRIGGER item_logged_delete AFTER DELETE ON item BEGIN
    INSERT INTO mutation (item_id, op, actor, session_id, reason, before_json, after_json, at)
    SELECT old.id, 'delete', actor, session_id, reason, {old}, NULL, {now} FROM write_ctx;
END;
CREATE TRIGGER mutation_stays BEFORE UPDATE ON mutation BEGIN
    SELECT raise(ABORT, 'the log of changes is append-only');
END;
CREATE TRIGGER mutation_remains BEFORE DELETE ON mutation BEGIN
    SELECT raise(ABORT, 'the log of changes is append-only');
END;
