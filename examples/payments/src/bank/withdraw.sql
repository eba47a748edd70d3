-- The check and the change are one statement: two payments that both fit alone, but not together,
-- cannot both pass.
UPDATE account
SET balance = balance - ?2
WHERE id = ?1 AND (balance >= ?2 OR token IS NULL)
