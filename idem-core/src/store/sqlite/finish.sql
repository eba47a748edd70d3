-- The end of an execution. A holder that was taken over touches no row. The owner alone may write
-- its end again, which is harmless: a completion whose answer was lost is simply repeated.
-- A conflict that was held while it ran keeps the record beyond the ttl of this execution.
UPDATE idem_record
SET state = ?4,
    status = ?5,
    headers = ?6,
    body = ?7,
    lease_until = NULL,
    expires_at = max(CAST(round(unixepoch('subsec') * 1000) AS INTEGER) + ?8, disputed_until),
    version = version + 1
WHERE id = ?1 AND owner = ?2 AND fence = ?3
