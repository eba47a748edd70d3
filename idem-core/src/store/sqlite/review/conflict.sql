-- Conflicts with the time at which they were read; whether one is expired is for the reader to say.
-- CROSS JOIN: the conflicts are the outer loop, so that an index gives them in order and the newest
-- few are read alone. With the clock outside, some SQLites read and sort all that pass.
SELECT
    id, version, state, held_at, expires_at, taken_at,
    record, scope, operation_name, operation, method, path, fingerprint, identity,
    original_fingerprint,
    decided_at, decided_by, reason, changed,
    media_type, original_media_type, payload, original_payload, now
FROM idem_conflict
CROSS JOIN (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
