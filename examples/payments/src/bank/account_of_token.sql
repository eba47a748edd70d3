SELECT id, currency
FROM account
WHERE token = ?1
