INSERT INTO posting (payment, account, amount)
VALUES (?1, ?2, -?4), (?1, ?3, ?4)
