-- Whether the record is still at the execution that the attempt was compared with, and what is in
-- the way of holding it. Under the write lock that also covers the insertion: a retry that is held
-- at the same moment is either seen here, or waits for the lock and then sees this one.
SELECT
    now,
    (
        SELECT id
        FROM idem_conflict
        WHERE record = ?1 AND expires_at > now AND fingerprint = ?3
          AND (identity IS ?4 OR identity IS NULL OR ?4 IS NULL)
        ORDER BY rowid
        LIMIT 1
    ) AS held,
    (
        SELECT count(*)
        FROM idem_conflict
        WHERE record = ?1 AND expires_at > now
          AND (state = 0 OR (state = 1 AND taken_at IS NULL))
    ) AS open
FROM idem_record, (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE id = ?1 AND owner = ?2 AND (expires_at > now OR (state = 0 AND lease_until > now))
