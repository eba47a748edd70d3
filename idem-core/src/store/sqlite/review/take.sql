-- The accepted payload runs. In the transaction of its claim: either both are there or neither, so
-- that what was accepted once runs once.
UPDATE idem_conflict
SET taken_at = CAST(round(unixepoch('subsec') * 1000) AS INTEGER),
    version = version + 1
WHERE id = ?1 AND record = ?2 AND state = 1 AND taken_at IS NULL
