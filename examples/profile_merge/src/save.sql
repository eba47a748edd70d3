-- One statement: a handle that somebody else took in between stays theirs, and no row comes back.
INSERT INTO profile (handle, owner, profile, saves)
VALUES (?2, ?1, ?3, 1)
ON CONFLICT (handle) DO UPDATE SET
    profile = excluded.profile,
    saves = saves + 1
WHERE owner = excluded.owner
RETURNING saves
