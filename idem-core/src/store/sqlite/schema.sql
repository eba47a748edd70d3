-- Version 1. STRICT, so that a damaged value is refused when it is written, not when it is read.
-- Times are milliseconds since the Unix epoch on SQLite's clock.
CREATE TABLE idem_record (
    id             BLOB    NOT NULL PRIMARY KEY,  -- SHA-256 of scope and key
    scope          TEXT,                          -- the principal's identifier; NULL: global
    operation_name TEXT    NOT NULL,
    operation      BLOB    NOT NULL,              -- SHA-256 of method, path and query
    fingerprint    BLOB    NOT NULL,              -- version and SHA-256 of the canonical payload
    identity       BLOB,                          -- NULL: the whole payload is critical
    state          INTEGER NOT NULL,              -- 0 in progress, 1 completed, 2 failed, 3 unknown
    owner          BLOB    NOT NULL,
    version        INTEGER NOT NULL,
    fence          INTEGER NOT NULL,
    attempts       INTEGER NOT NULL,
    lease_until    INTEGER,                       -- while in progress
    created_at     INTEGER NOT NULL,
    expires_at     INTEGER NOT NULL,
    status         INTEGER,                       -- when completed
    headers        BLOB,
    body           BLOB                           -- NULL: the answer was not stored
) STRICT;

CREATE INDEX idem_record_expiry ON idem_record (expires_at);
