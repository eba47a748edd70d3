-- The superseded executions of one payload, read in the snapshot in which its record was read.
-- Whether their critical fields are its own is for the reader to say.
SELECT version, fingerprint, identity, superseded_at, status, headers, body
FROM idem_history
WHERE record = ?1 AND fingerprint = ?2
ORDER BY version DESC
