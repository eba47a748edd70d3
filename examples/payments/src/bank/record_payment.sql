INSERT INTO payment (note, made_at)
VALUES (?1, unixepoch())
RETURNING number
