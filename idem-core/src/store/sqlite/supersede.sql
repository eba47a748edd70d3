-- Remembers the execution that a claim with another payload is about to take over. Under the write
-- lock and before the claim itself, which writes over the row; the condition is that claim's, so
-- that a record which has moved on, or a claim that is made a second time, leaves nothing here.
INSERT INTO idem_history (
    record, version, fingerprint, identity, superseded_at, status, headers, body
)
SELECT id, version, fingerprint, identity, now, status, headers, body
FROM idem_record, (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE id = ?1 AND owner = ?2 AND version = ?3
  AND (expires_at > now OR (state = 0 AND lease_until > now))
  AND NOT (fingerprint = ?4 AND (identity IS ?5 OR identity IS NULL OR ?5 IS NULL))
RETURNING superseded_at
