-- Gives back a first claim under which nothing ran; a claim over an earlier execution stays.
DELETE FROM idem_record
WHERE id = ?1 AND owner = ?2 AND fence = ?3 AND state = 0 AND taken_over = 0
RETURNING disputed_until
