-- A sign of life. A holder that was taken over has another owner or fence and touches no row;
-- one whose execution has ended is no longer in state 0 and touches none either.
UPDATE idem_record
SET lease_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?4,
    expires_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?5,
    version = version + 1
WHERE id = ?1 AND owner = ?2 AND fence = ?3 AND state = 0
