-- Version 1. Times are milliseconds since the Unix epoch on the server's clock, so that what is
-- compared here and what is compared by a reader is the same number: `to_timestamp(t / 1000.0)`
-- shows one. Fixed widths stand first, so that no row has holes in it.
CREATE TABLE idem_record (
    version         bigint   NOT NULL,
    fence           bigint   NOT NULL,
    lease_until     bigint,                   -- while in progress
    created_at      bigint   NOT NULL,
    expires_at      bigint   NOT NULL,
    due_from        bigint   NOT NULL,        -- not after expires_at, and fixed by the claim
    disputed_until  bigint   NOT NULL,        -- when its last conflict expires; 0: it has none
    attempts        integer  NOT NULL,
    history         integer  NOT NULL,        -- how many rows of idem_history are its own
    state           smallint NOT NULL,        -- 0 in progress, 1 completed, 2 failed, 3 unknown
    status          smallint,                 -- when completed
    taken_over      boolean  NOT NULL,        -- claimed over an earlier execution
    awaited         boolean  NOT NULL,        -- somebody waits for the end of this execution
    id              bytea    NOT NULL PRIMARY KEY,  -- SHA-256 of scope and key
    owner           bytea    NOT NULL,
    operation       bytea    NOT NULL,        -- SHA-256 of method, path and query
    fingerprint     bytea    NOT NULL,        -- version and SHA-256 of the canonical payload
    identity        bytea,                    -- NULL: no critical fields
    scope           text,                     -- the principal's identifier; NULL: global
    operation_name  text     NOT NULL,
    method          text     NOT NULL,
    path            text     NOT NULL,        -- without query; of a long one the beginning
    headers         bytea,
    media_type      text,
    base_media_type text,
    payload         bytea,                    -- as it was sent, where the contract keeps it
    base            bytea,                    -- the payload that last completed before
    body            bytea                     -- NULL: the answer was not stored
) WITH (
    -- Each row is written at least twice. With room on its page, and no indexed column among those
    -- that are written, completing it touches no index (a heap-only update).
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0.05
);

-- Where the expired are found. Not an index on expires_at, which each write moves: a record is
-- never expired before due_from, and the few that run on beyond it are passed over.
CREATE INDEX idem_record_due ON idem_record (due_from);

-- The superseded executions of a record; whoever deletes that deletes them.
CREATE TABLE idem_history (
    version       bigint   NOT NULL,          -- of the record when it was superseded
    superseded_at bigint   NOT NULL,
    status        smallint,                   -- NULL: it had no answer
    record        bytea    NOT NULL,
    fingerprint   bytea    NOT NULL,
    identity      bytea,
    headers       bytea,
    body          bytea,
    PRIMARY KEY (record, version)
);

-- Attempts under review. Not bound to the record: a conflict is shown for a while after both have
-- expired.
CREATE TABLE idem_conflict (
    arrival              bigint   NOT NULL GENERATED ALWAYS AS IDENTITY,  -- in this order
    version              bigint   NOT NULL,
    held_at              bigint   NOT NULL,
    expires_at           bigint   NOT NULL,
    ttl                  bigint   NOT NULL,
    purge_at             bigint   NOT NULL GENERATED ALWAYS AS (expires_at + ttl) STORED,
    taken_at             bigint,              -- when the accepted payload began to run
    decided_at           bigint,
    state                smallint NOT NULL,   -- 0 pending, 1 accepted, 2 kept
    id                   bytea    NOT NULL PRIMARY KEY,  -- 128 random bits
    record               bytea    NOT NULL,
    operation            bytea    NOT NULL,
    fingerprint          bytea    NOT NULL,   -- of the disputed payload
    original_fingerprint bytea    NOT NULL,   -- of what the key stood for
    identity             bytea,
    scope                text,
    operation_name       text     NOT NULL,
    method               text     NOT NULL,
    path                 text     NOT NULL,
    decided_by           text,
    reason               text,
    changed              text     NOT NULL,   -- names of critical fields, as a JSON array
    media_type           text,
    original_media_type  text,
    payload              bytea,
    original_payload     bytea
);

-- Each gives the newest of its kind in the order in which they are listed.
CREATE INDEX idem_conflict_held ON idem_conflict (held_at, id);
CREATE INDEX idem_conflict_state ON idem_conflict (state, held_at, id);
CREATE INDEX idem_conflict_record ON idem_conflict (record, held_at, id);
CREATE INDEX idem_conflict_operation ON idem_conflict (operation_name, held_at, id);
CREATE INDEX idem_conflict_scope ON idem_conflict (scope, held_at, id);

CREATE INDEX idem_conflict_purge ON idem_conflict (purge_at);

-- The clock of all that is written here. Not that of the transaction: a time that is read after a
-- wait for a lock is one after the wait.
CREATE FUNCTION idem_now() RETURNS bigint
LANGUAGE sql VOLATILE PARALLEL SAFE
AS $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- Whether a record is as if it had never been. A live lease is never passed over.
CREATE FUNCTION idem_is_expired(
    state smallint, lease_until bigint, expires_at bigint, moment bigint
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT expires_at <= moment AND NOT (state = 0 AND lease_until > moment) $$;

-- Whether two payloads are one, as far as it decides what is remembered and what is held again.
CREATE FUNCTION idem_is_same_payload(
    fingerprint bytea, identity bytea, other_fingerprint bytea, other_identity bytea
) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT fingerprint = other_fingerprint
       AND (identity = other_identity OR identity IS NULL OR other_identity IS NULL)
$$;
