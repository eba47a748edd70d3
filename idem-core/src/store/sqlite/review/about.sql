-- The unexpired conflicts about a record in the order in which they came (rows are numbered in that
-- order), without their payloads; read in the snapshot in which the record was read, at its time.
SELECT id, fingerprint, identity, state, taken_at, expires_at, ?2 AS now
FROM idem_conflict
WHERE record = ?1 AND expires_at > ?2
ORDER BY rowid
