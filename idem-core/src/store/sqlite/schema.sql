-- Version 1. STRICT, so that a damaged value is refused when it is written, not when it is read.
-- Times are milliseconds since the Unix epoch on SQLite's clock. What can be long stands last: a
-- scan that passes a row over does not read it.
CREATE TABLE idem_record (
    id              BLOB    NOT NULL PRIMARY KEY,  -- SHA-256 of scope and key
    scope           TEXT,                          -- the principal's identifier; NULL: global
    operation_name  TEXT    NOT NULL,
    operation       BLOB    NOT NULL,              -- SHA-256 of method, path and query
    method          TEXT    NOT NULL,
    path            TEXT    NOT NULL,              -- without query; of a long one the beginning
    fingerprint     BLOB    NOT NULL,              -- version and SHA-256 of the canonical payload
    identity        BLOB,                          -- NULL: no critical fields
    state           INTEGER NOT NULL,              -- 0 in progress, 1 completed, 2 failed, 3 unknown
    owner           BLOB    NOT NULL,
    version         INTEGER NOT NULL,
    fence           INTEGER NOT NULL,
    attempts        INTEGER NOT NULL,
    taken_over      INTEGER NOT NULL,              -- 1: claimed over an earlier execution
    lease_until     INTEGER,                       -- while in progress
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    history         INTEGER NOT NULL,              -- how many rows of idem_history are its own
    disputed_until  INTEGER NOT NULL,              -- when its last conflict expires; 0: it has none
    status          INTEGER,                       -- when completed
    headers         BLOB,
    media_type      TEXT,
    base_media_type TEXT,
    payload         BLOB,                          -- as it was sent, where the contract keeps it
    base            BLOB,                          -- the payload that last completed before
    body            BLOB                           -- NULL: the answer was not stored
) STRICT;

CREATE INDEX idem_record_expiry ON idem_record (expires_at);

-- The superseded executions of a record; they go with it.
CREATE TABLE idem_history (
    record        BLOB    NOT NULL REFERENCES idem_record (id) ON DELETE CASCADE,
    version       INTEGER NOT NULL,                -- of the record when it was superseded
    fingerprint   BLOB    NOT NULL,
    identity      BLOB,
    superseded_at INTEGER NOT NULL,
    status        INTEGER,                         -- NULL: it had no answer
    headers       BLOB,
    body          BLOB,
    PRIMARY KEY (record, version)
) STRICT;

-- Attempts under review. Not bound to the record: a conflict is shown for a while after both have
-- expired.
CREATE TABLE idem_conflict (
    id                   BLOB    NOT NULL PRIMARY KEY,  -- 128 random bits
    version              INTEGER NOT NULL,
    state                INTEGER NOT NULL,              -- 0 pending, 1 accepted, 2 kept
    held_at              INTEGER NOT NULL,
    expires_at           INTEGER NOT NULL,
    ttl                  INTEGER NOT NULL,
    purge_at             INTEGER NOT NULL AS (expires_at + ttl),
    taken_at             INTEGER,                       -- when the accepted payload began to run
    record               BLOB    NOT NULL,
    scope                TEXT,
    operation_name       TEXT    NOT NULL,
    operation            BLOB    NOT NULL,
    method               TEXT    NOT NULL,
    path                 TEXT    NOT NULL,
    fingerprint          BLOB    NOT NULL,              -- of the disputed payload
    identity             BLOB,
    original_fingerprint BLOB    NOT NULL,              -- of what the key stood for
    decided_at           INTEGER,
    decided_by           TEXT,
    reason               TEXT,
    changed              TEXT    NOT NULL,              -- names of critical fields, as a JSON array
    media_type           TEXT,
    original_media_type  TEXT,
    payload              BLOB,
    original_payload     BLOB
) STRICT;

-- Each gives the newest of its kind in the order in which they are listed.
CREATE INDEX idem_conflict_held ON idem_conflict (held_at, id);
CREATE INDEX idem_conflict_state ON idem_conflict (state, held_at, id);
CREATE INDEX idem_conflict_record ON idem_conflict (record, held_at, id);
CREATE INDEX idem_conflict_operation ON idem_conflict (operation_name, held_at, id);
CREATE INDEX idem_conflict_scope ON idem_conflict (scope, held_at, id);

CREATE INDEX idem_conflict_purge ON idem_conflict (purge_at);
