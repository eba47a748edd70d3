-- Customers only: nobody pays into an account of the bank's own.
SELECT id, currency
FROM account
WHERE id = ?1 AND token IS NOT NULL
