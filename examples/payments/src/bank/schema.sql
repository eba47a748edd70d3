-- Amounts are whole numbers of the currency's smallest coins. STRICT, so that nothing else is
-- ever stored.
CREATE TABLE IF NOT EXISTS account (
    id       TEXT    NOT NULL PRIMARY KEY,
    currency TEXT    NOT NULL,
    token    BLOB    UNIQUE,               -- SHA-256 of the token; NULL: an account of the bank's own
    balance  INTEGER NOT NULL DEFAULT 0,   -- the sum of its postings
    CHECK (balance >= 0 OR token IS NULL)  -- only the bank owes
) STRICT;

CREATE TABLE IF NOT EXISTS payment (
    number  INTEGER NOT NULL PRIMARY KEY,
    note    TEXT,
    made_at INTEGER NOT NULL               -- seconds since the Unix epoch
) STRICT;

-- Two postings for each movement of money, which add up to zero.
CREATE TABLE IF NOT EXISTS posting (
    number  INTEGER NOT NULL PRIMARY KEY,
    payment INTEGER REFERENCES payment,    -- NULL: a first deposit
    account TEXT    NOT NULL REFERENCES account,
    amount  INTEGER NOT NULL CHECK (amount <> 0)
) STRICT;

CREATE INDEX IF NOT EXISTS posting_account ON posting (account);
