-- After a claim over an expired record, which begins with nothing of it. Its row was not deleted
-- but written over, so that nothing has taken these with it.
DELETE FROM idem_history WHERE record = ?1
