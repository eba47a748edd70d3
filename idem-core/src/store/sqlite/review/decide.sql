-- A decision: of two people who have seen the same version the second touches no row, and so does
-- one who decides what has expired meanwhile. What was decided is kept for another ttl.
UPDATE idem_conflict
SET state = ?3,
    version = version + 1,
    decided_at = now,
    decided_by = ?4,
    reason = ?5,
    expires_at = now + ttl
FROM (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE id = ?1 AND version = ?2 AND state = 0 AND expires_at > now
RETURNING record, decided_at, expires_at
