-- Claims the record when there is none, when it is expired, or when its revision is the one that
-- may be taken over. One statement under the write lock: of two claims that both saw no record,
-- the second meets the row of the first, fails the WHERE, and gets no row back.
-- The clock is read here, after the lock was waited for, so that a wait does not eat the lease.
INSERT INTO idem_record (
    id, scope, operation_name, operation, fingerprint, identity,
    state, owner, version, fence, attempts, lease_until, created_at, expires_at
)
SELECT ?1, ?11, ?2, ?3, ?4, ?5, 0, ?6, 1, now, 1, now + ?7, now, now + ?8
FROM (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE true
ON CONFLICT (id) DO UPDATE SET
    operation_name = excluded.operation_name,
    operation = excluded.operation,
    fingerprint = excluded.fingerprint,
    identity = excluded.identity,
    state = 0,
    owner = excluded.owner,
    version = version + 1,
    fence = max(fence + 1, excluded.fence),
    attempts = CASE WHEN expires_at <= excluded.created_at THEN 1 ELSE attempts + 1 END,
    created_at = CASE WHEN expires_at <= excluded.created_at THEN excluded.created_at ELSE created_at END,
    lease_until = excluded.lease_until,
    expires_at = excluded.expires_at,
    status = NULL,
    headers = NULL,
    body = NULL
WHERE (expires_at <= excluded.created_at AND NOT (state = 0 AND lease_until > excluded.created_at))
   OR (owner = ?9 AND version = ?10)
RETURNING fence, attempts
