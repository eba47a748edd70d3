-- One batch of expired records, with what they remember. A live lease is never touched, however
-- long it runs.
DELETE FROM idem_record
WHERE id IN (
    SELECT id
    FROM idem_record, (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
    WHERE expires_at <= now AND NOT (state = 0 AND lease_until > now)
    LIMIT ?1
)
