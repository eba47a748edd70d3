-- One batch of conflicts that have been expired for as long as they could be decided: until then
-- people still see what came of them. A record outlives its open conflicts, so none is lost here.
DELETE FROM idem_conflict
WHERE id IN (
    SELECT id
    FROM idem_conflict, (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
    WHERE purge_at <= now
    LIMIT ?1
)
