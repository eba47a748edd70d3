-- Keeps an unexpired record for as long as a conflict about it can be decided or run. Written with
-- the conflict, so that no key is new while one is open; its revision stays, and with it whatever
-- its holder or a claim over it compares.
UPDATE idem_record
SET expires_at = max(expires_at, ?2),
    disputed_until = max(disputed_until, ?2)
WHERE id = ?1 AND (expires_at > ?3 OR (state = 0 AND lease_until > ?3))
