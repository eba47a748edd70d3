CREATE TABLE IF NOT EXISTS placed (
    number  INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    cart    TEXT    NOT NULL,
    content TEXT    NOT NULL  -- the order, as JSON
) STRICT;
