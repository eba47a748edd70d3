CREATE TABLE IF NOT EXISTS account (
    name    text   PRIMARY KEY,
    balance bigint NOT NULL CHECK (balance >= 0)  -- in cents
);

CREATE TABLE IF NOT EXISTS entry (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payer  text   NOT NULL REFERENCES account,
    payee  text   NOT NULL REFERENCES account,
    amount bigint NOT NULL CHECK (amount > 0),
    note   text   CHECK (length(note) <= 100)
);

INSERT INTO account VALUES ('alice', 10000), ('bob', 0) ON CONFLICT DO NOTHING;
