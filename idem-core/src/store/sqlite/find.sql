-- The record with the time at which it was read; whether it is expired is for the reader to say.
SELECT
    scope, operation_name, operation, method, path, fingerprint, identity,
    state, owner, version, fence, attempts, lease_until, created_at, expires_at,
    history, disputed_until, status, headers, media_type, base_media_type, payload, base, body,
    CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now
FROM idem_record
WHERE id = ?1
