-- Conflicts with the time at which they were read; whether one is expired is for the reader to say.
SELECT
    id, version, state::bigint, held_at, expires_at, taken_at,
    record, scope, operation_name, operation, method, path, fingerprint, identity,
    original_fingerprint, decided_at, decided_by, reason, changed,
    media_type, original_media_type, payload, original_payload, now
FROM idem_conflict
CROSS JOIN (SELECT idem_now() AS now) AS clock
