CREATE TABLE IF NOT EXISTS profile (
    handle  TEXT    NOT NULL PRIMARY KEY,
    owner   TEXT    NOT NULL,
    profile TEXT    NOT NULL,  -- JSON
    saves   INTEGER NOT NULL
) STRICT;
