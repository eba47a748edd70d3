-- The superseded execution of one payload, read in the snapshot in which its record was read.
SELECT version, fingerprint, identity, superseded_at, status, headers, body
FROM idem_history
WHERE record = ?1 AND fingerprint = ?2 AND identity IS ?3
ORDER BY version DESC
LIMIT 1
