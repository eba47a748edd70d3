-- A sign of life. A holder that was taken over has another owner or fence and touches no row;
-- one whose execution has ended is no longer in state 0 and touches none either.
-- A conflict that was held meanwhile keeps the record beyond the retention of this lease.
UPDATE idem_record
SET lease_until = CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?4,
    expires_at = max(CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?5, disputed_until),
    version = version + 1
WHERE id = ?1 AND owner = ?2 AND fence = ?3 AND state = 0
