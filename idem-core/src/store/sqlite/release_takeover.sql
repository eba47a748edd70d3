-- Gives back a claim over an earlier execution. What that one was is no longer known, so nobody
-- may run on a guess: the outcome is unknown.
UPDATE idem_record
SET state = 3, lease_until = NULL, version = version + 1
WHERE id = ?1 AND owner = ?2 AND fence = ?3 AND state = 0
