-- Claims the record when there is none, when it is expired, or when its revision is the one that
-- may be taken over. One statement under the write lock: of two claims that both saw no record,
-- the second meets the row of the first, fails the WHERE, and gets no row back.
-- The clock is read here, after the lock was waited for, so that a wait does not eat the lease;
-- unless an execution was superseded just before, whose time (?15) is then that of the claim: it
-- cannot have been unexpired there and be expired here.
INSERT INTO idem_record (
    id, scope, operation_name, operation, fingerprint, identity,
    state, owner, version, fence, attempts, taken_over, lease_until, created_at, expires_at,
    history, disputed_until, media_type, payload, method, path
)
SELECT
    ?1, ?11, ?2, ?3, ?4, ?5,
    0, ?6, 1, now, 1, 0, now + ?7, now, now + ?8,
    0, 0, ?13, ?12, ?16, ?17
FROM (SELECT coalesce(?15, CAST(round(unixepoch('subsec') * 1000) AS INTEGER)) AS now)
WHERE true
ON CONFLICT (id) DO UPDATE SET
    operation_name = excluded.operation_name,
    operation = excluded.operation,
    method = excluded.method,
    path = excluded.path,
    fingerprint = excluded.fingerprint,
    identity = excluded.identity,
    state = 0,
    owner = excluded.owner,
    version = version + 1,
    fence = max(fence + 1, excluded.fence),
    attempts = iif(?14 OR expires_at <= excluded.created_at, 1, attempts + 1),
    taken_over = (expires_at > excluded.created_at),
    created_at = iif(?14 OR expires_at <= excluded.created_at, excluded.created_at, created_at),
    lease_until = excluded.lease_until,
    expires_at = iif(
        expires_at <= excluded.created_at, excluded.expires_at, max(excluded.expires_at, disputed_until)
    ),
    history = iif(
        expires_at <= excluded.created_at, 0, (SELECT count(*) FROM idem_history WHERE record = ?1)
    ),
    disputed_until = iif(expires_at <= excluded.created_at, 0, disputed_until),
    base = CASE
        WHEN ?14 OR expires_at <= excluded.created_at THEN NULL
        WHEN state = 1 THEN payload
        ELSE base
    END,
    base_media_type = CASE
        WHEN ?14 OR expires_at <= excluded.created_at THEN NULL
        WHEN state = 1 THEN media_type
        ELSE base_media_type
    END,
    media_type = excluded.media_type,
    payload = excluded.payload,
    status = NULL,
    headers = NULL,
    body = NULL
WHERE (expires_at <= excluded.created_at AND NOT (state = 0 AND lease_until > excluded.created_at))
   OR (owner = ?9 AND version = ?10)
RETURNING fence, attempts, version, taken_over
