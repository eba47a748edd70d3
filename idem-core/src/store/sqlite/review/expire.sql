-- Ends the conflicts about a record that begins anew (the open ones), or that was released and is
-- as if it had never been (?2: all). In the transaction that does so: nobody can decide or run
-- what was compared with an execution that no longer counts.
UPDATE idem_conflict
SET expires_at = now
FROM (SELECT CAST(round(unixepoch('subsec') * 1000) AS INTEGER) AS now)
WHERE record = ?1 AND expires_at > now
  AND (?2 OR state = 0 OR (state = 1 AND taken_at IS NULL))
