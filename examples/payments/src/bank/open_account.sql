INSERT INTO account (id, currency, token)
VALUES (?1, ?2, ?3)
