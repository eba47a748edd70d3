-- A new conflict, with the original as the record is: it was compared under the same write lock.
INSERT INTO idem_conflict (
    id, version, state, held_at, expires_at, ttl,
    record, scope, operation_name, operation, fingerprint, identity,
    original_fingerprint, changed, media_type, original_media_type, payload, original_payload,
    method, path
)
SELECT
    ?2, 1, 0, ?3, ?3 + ?4, ?4,
    id, ?5, ?6, ?7, ?8, ?9,
    fingerprint, ?10, ?11, media_type, ?12, payload,
    ?13, ?14
FROM idem_record
WHERE id = ?1
